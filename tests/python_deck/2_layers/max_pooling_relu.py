"""ReLU, then max pooling over 2x2 windows with stride 2."""

import numpy as np

answers = {"dx": "backward message through pooling and ReLU"}
sizes = {"H": ("x", 0), "W": ("x", 1)}
hints = ["What is the message to a window in which every x is negative?"]


def sample(rng):
    """An input with a window that the ReLU silences, and one that it leaves as it is."""
    h, w = rng.choice([2, 3, 5], size=2, replace=False)
    x = rng.standard_normal((2 * h, 2 * w))
    x[:2, :2] = -np.abs(x[:2, :2])
    x[-2:, -2:] = np.abs(x[-2:, -2:])
    return {"x": x}


def pool(a):
    """The largest a of every 2x2 window."""
    h, w = a.shape
    return a.reshape(h // 2, 2, w // 2, 2).max(axis=(1, 3))


def let(x):
    return {"a": np.maximum(x, 0)}


def forward(x):
    """f[k, l] is the largest activation in window (k, l)."""
    return {"f": pool(np.maximum(x, 0))}


def without_relu(x):
    return {"f": pool(x)}


variants = {"This is the gradient of max pooling alone: the ReLU's slope is missing.": without_relu}

right = {
    "dx": [
        "dx[i,j] = sum(k,l) df[k,l] [2k<=i<2k+2] [2l<=j<2l+2] [a[i,j]=f[k,l]] [x[i,j]>0]",
        "np.kron(df, np.ones((2, 2))) * (a == np.kron(f, np.ones((2, 2)))) * (x > 0)",
        "np.kron(df * (f > 0), np.ones((2, 2))) * (x == np.kron(f, np.ones((2, 2))))",
    ]
}

wrong = {
    "dx": {
        "In a window of negative cells all activations are 0, so all four win. The slope "
        "of the ReLU is 0 there and lets nothing through.": (
            "np.kron(df, np.ones((2, 2))) * (a == np.kron(f, np.ones((2, 2))))"
        ),
        "You went back only through the ReLU. The pooling picks at most one positive cell "
        "per window.": ("np.kron(df, np.ones((2, 2))) * (x > 0)"),
        "The slope of the ReLU is 1 above zero. You multiplied by the activation itself.": (
            "np.kron(df, np.ones((2, 2))) * (a == np.kron(f, np.ones((2, 2)))) * a"
        ),
    }
}
