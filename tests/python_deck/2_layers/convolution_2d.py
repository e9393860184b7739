"""A convolution of an image with a kernel that is not flipped; no padding, stride 1."""

import numpy as np

answers = {"dx": "backward message", "dw": "parameter message of the kernel"}
sizes = {"H": ("x", 0), "W": ("x", 1), "A": ("w", 0), "B": ("w", 1)}
hints = ["Let each output place a scaled copy of the kernel on the image."]


def sample(rng):
    H, W = rng.choice([4, 5, 6], size=2, replace=False)
    return {
        "x": rng.standard_normal((H, W)),
        "w": rng.standard_normal(rng.choice([2, 3], size=2, replace=False)),
    }


def windows(x, w):
    """x[k + u, l + v] as [k, l, u, v]."""
    (H, W), (A, B) = x.shape, w.shape
    rows = np.arange(H - A + 1)[:, None] + np.arange(A)
    columns = np.arange(W - B + 1)[:, None] + np.arange(B)
    return x[rows[:, None, :, None], columns[None, :, None, :]]


def forward(x, w):
    """y[k, l] = sum over u and v of w[u, v] x[k + u, l + v]."""
    return {"y": np.tensordot(windows(x, w), w, axes=2)}


def flipped(x, w):
    return {"y": np.tensordot(windows(x, w), w[::-1, ::-1], axes=2)}


variants = {
    "This is the gradient with a flipped kernel. On this card, the kernel is not flipped.": flipped
}

SPREAD = """
def dx(x, w, dy):
    g = np.zeros(x.shape)
    for k, l in np.ndindex(dy.shape):
        g[k : k + len(w), l : l + len(w[0])] += dy[k, l] * w
    return g
"""

COLLECT = """
def dw(x, w, dy):
    g = np.zeros(w.shape)
    for k, l in np.ndindex(dy.shape):
        g += dy[k, l] * x[k : k + len(w), l : l + len(w[0])]
    return g
"""

right = {
    "dx": [
        SPREAD,
        "dx[i,j] = sum(u,v) dy[i-u,j-v] w[u,v]",
        r"dx_{ij} = \sum_{k,l} dy_{kl} w_{i-k,j-l}",
    ],
    "dw": [
        COLLECT,
        "dw[u,v] = sum(k,l) dy[k,l] x[k+u,l+v]",
        r"dw_{uv} = \sum_{k,l} dy_{kl} x_{k+u,l+v}",
    ],
}

wrong = {
    "dx": {
        "Where the windows overlap, messages must be added, not overwritten: += instead of =.": (
            SPREAD.replace("+=", "=")
        ),
        "The index runs the wrong way: pixel (i, j) is multiplied by weight (u, v) in output "
        "(i-u, j-v), not (i+u, j+v).": ("dx[i,j] = sum(u,v) dy[i+u,j+v] w[u,v]"),
        "The kernel is the wrong way round: pixel (i, j) is multiplied by weight (u, v) in output "
        "(i-u, j-v). If you slide the kernel over the padded upstream, rotate it first.": (
            SPREAD.replace("* w\n", "* w[::-1, ::-1]\n")
        ),
        "This is the message for an upstream of ones. Weight each output by its own upstream.": (
            SPREAD.replace("dy[k, l] * w", "w")
        ),
    },
    "dw": {
        "The result is rotated by 180 degrees: in output (k, l), weight (u, v) multiplies pixel "
        "(k+u, l+v).": (COLLECT.replace("return g", "return g[::-1, ::-1]")),
        "The kernel is shared by all positions: sum over them instead of keeping only the last.": (
            COLLECT.replace("+=", "=")
        ),
        "This is the message for an upstream of ones. Weight each position by its own upstream.": (
            COLLECT.replace("dy[k, l] * x", "x")
        ),
        "You took the mean over the positions. The chain rule sums.": (
            COLLECT.replace("return g", "return g / dy.size")
        ),
    },
}
