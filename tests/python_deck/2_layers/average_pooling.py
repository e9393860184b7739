"""Average pooling over square windows that do not overlap."""

import numpy as np

answers = {"dx": "backward message"}
sizes = {"H": ("x", 0), "W": ("x", 1)}


def sample(rng):
    """Windows of width 2 or 3, and different numbers of them down and across."""
    s = rng.integers(2, 4)
    h, w = rng.choice(np.arange(2, 7 - s), size=2, replace=False)
    return {"x": rng.standard_normal((s * h, s * w)), "s": s}


def windows(x, s):
    """The cells of window (k, l) as [k, :, l, :]."""
    h, w = x.shape
    return x.reshape((h // s, s, w // s, s))


def forward(x, s):
    """f[k, l] is the mean of x in window (k, l)."""
    return {"f": windows(x, s).mean(axis=(1, 3))}


def max_pooling(x, s):
    return {"f": windows(x, s).max(axis=(1, 3))}


variants = {
    "This is the gradient of max pooling, which sends each upstream to a single cell.": max_pooling
}

right = {
    "dx": [
        "np.kron(df, np.ones((s, s))) / s**2",
        "df.repeat(s, axis=0).repeat(s, axis=1) / s**2",
        "dx[i,j] = 1/s^2 sum(k,l) df[k,l] [s k<=i<s k+s] [s l<=j<s l+s]",
        "dx[i,j] = df[i//s,j//s] / s^2",
        r"dx_{ij} = \frac{1}{s^2} df_{\lfloor i/s \rfloor, \lfloor j/s \rfloor}",
    ]
}

wrong = {
    "dx": {
        "This is the message of a sum. A mean gives each cell only a share of 1/s².": (
            "np.kron(df, np.ones((s, s)))"
        ),
        "The window has s times s cells: divide by s², not by s.": (
            "np.kron(df, np.ones((s, s))) / s"
        ),
        "The layer is linear: its slope is 1/s² and does not contain the input.": (
            "x * np.kron(df, np.ones((s, s))) / s**2"
        ),
        "This places whole copies of the upstream side by side, as np.tile does. Repeat each "
        "upstream within its own window instead.": ("np.tile(df, (s, s)) / s**2"),
        "This spreads all upstreams evenly over the whole input. Each upstream belongs to "
        "the cells in its own window.": ("np.ones(x.shape) * df.sum() / x.size"),
    }
}
