"""Max pooling over 2x2 windows whose maxima may tie: winners share one upstream.

The samples have no ties, so the gradient is unique; the judge makes ties out of them.
"""

import numpy as np

answers = {"dx": "backward message, right at ties too"}
sizes = {"H": ("x", 0), "W": ("x", 1)}
ties = True


def sample(rng):
    h, w = rng.choice([2, 3, 4], size=2, replace=False)
    return {"x": rng.standard_normal((2 * h, 2 * w))}


def windows(x):
    """The cells of window (k, l) as [k, :, l, :]."""
    h, w = x.shape
    return x.reshape(h // 2, 2, w // 2, 2)


def forward(x):
    """f[k, l] is the largest x in window (k, l)."""
    return {"f": windows(x).max(axis=(1, 3))}


def average_pooling(x):
    return {"f": windows(x).mean(axis=(1, 3))}


def largest_magnitude(x):
    return {"f": np.abs(windows(x)).max(axis=(1, 3))}


variants = {
    "This is the gradient of average pooling: cells that are not the maximum get a share.": (
        average_pooling
    ),
    "This is the gradient of the largest absolute value, not of the largest value.": (
        largest_magnitude
    ),
}

FIRST_WINNER = """
def dx(x, df):
    g = np.zeros(x.shape)
    for k, l in np.ndindex(df.shape):
        window = x[2*k : 2*k+2, 2*l : 2*l+2]
        a, b = np.unravel_index(window.argmax(), window.shape)
        g[2*k + a, 2*l + b] = df[k, l]
    return g
"""

SHARED_EVENLY = """
def dx(x, f, df):
    ones = np.ones((2, 2))
    winner = x == np.kron(f, ones)
    count = winner.reshape(len(f), 2, -1, 2).sum(axis=(1, 3))
    return np.kron(df / count, ones) * winner
"""

right = {
    "dx": [
        SHARED_EVENLY,
        FIRST_WINNER,
        "n[k,l] = sum(i,j) [2k<=i<2k+2] [2l<=j<2l+2] [x[i,j]=f[k,l]]\n"
        "dx[i,j] = sum(k,l) (df[k,l] / n[k,l]) [2k<=i<2k+2] [2l<=j<2l+2] [x[i,j]=f[k,l]]",
    ]
}

wrong = {
    "dx": {
        "You counted the winners of the whole map. Each window has a count of its own.": (
            "winner = x == np.kron(f, np.ones((2, 2)))\n"
            "dx = np.kron(df, np.ones((2, 2))) * winner / winner.sum()"
        ),
        "You divided by all four cells in the window. Only those that share the maximum count.": (
            "np.kron(df / 4, np.ones((2, 2))) * (x == np.kron(f, np.ones((2, 2))))"
        ),
        "You sent the upstream to every cell in the window. Only those at the maximum share it.": (
            "np.kron(df, np.ones((2, 2)))"
        ),
        "These are shares without an upstream. Multiply each by the upstream of its window.": (
            SHARED_EVENLY.replace("df / count", "1 / count")
        ),
    }
}
