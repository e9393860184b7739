"""Max pooling over 3x3 windows with stride 2: a cell may win several windows."""

import numpy as np

answers = {"dx": "backward message"}
sizes = {"H": ("x", 0), "W": ("x", 1)}


def sample(rng):
    """A peak where four windows overlap, so that messages always meet, and two of its height
    just outside of its windows: the value alone does not tell which window a cell has won."""
    h, w = rng.choice([3, 4, 5], size=2, replace=False)
    x = rng.standard_normal((2 * h + 1, 2 * w + 1)) + rng.choice([-1, 0, 1])
    i, j = 2 * rng.integers(1, h - 1), 2 * rng.integers(1, w - 1)
    x[[i, i + 3, i], [j, j, j + 3]] = x.max() + 0.5
    return {"x": x}


def windows(x):
    """The nine cells of window (k, l) as [:, k, l]."""
    h, w = x.shape[0] // 2, x.shape[1] // 2
    return np.stack([x[a::2, b::2][:h, :w] for a in range(3) for b in range(3)])


def forward(x):
    """f[k, l] is the largest x in window (k, l)."""
    return {"f": windows(x).max(axis=0)}


def average_pooling(x):
    return {"f": windows(x).mean(axis=0)}


variants = {
    "This is the gradient of average pooling, which splits each upstream evenly.": average_pooling
}

ADD_AT_EVERY_WINNER = """
def dx(x, df):
    g = np.zeros(x.shape)
    for k, l in np.ndindex(df.shape):
        window = x[2*k : 2*k+3, 2*l : 2*l+3]
        a, b = np.unravel_index(window.argmax(), window.shape)
        g[2*k + a, 2*l + b] += df[k, l]
    return g
"""

right = {
    "dx": [
        "dx[i,j] = sum(k,l) df[k,l] [2k<=i<2k+3] [2l<=j<2l+3] [x[i,j]=f[k,l]]",
        ADD_AT_EVERY_WINNER,
    ]
}

wrong = {
    "dx": {
        "You kept only the last upstream of a cell that wins several windows. Add them all: +="
        " instead of =.": (ADD_AT_EVERY_WINNER.replace("+=", "=")),
        "Your windows are 2 × 2. On this card, they are 3 × 3, and the third row is also the first "
        "row of the next window.": (
            "dx[i,j] = sum(k,l) df[k,l] [2k<=i<2k+2] [2l<=j<2l+2] [x[i,j]=f[k,l]]"
        ),
        "You sent the upstream to every cell in the window. Only the largest one should get it.": (
            "dx[i,j] = sum(k,l) df[k,l] [2k<=i<2k+3] [2l<=j<2l+3]"
        ),
        "This counts the windows that a cell wins. Weight each of them by its upstream.": (
            "dx[i,j] = sum(k,l) [2k<=i<2k+3] [2l<=j<2l+3] [x[i,j]=f[k,l]]"
        ),
    }
}
