"""A convolution of a signal with a kernel that is not flipped; no padding, stride 1."""

import numpy as np

answers = {"dx": "backward message", "dw": "parameter message of the kernel"}
sizes = {"D": ("x", 0), "K": ("w", 0)}


def sample(rng):
    """A signal, and a kernel that is shorter than the output."""
    return {
        "x": rng.standard_normal(rng.integers(8, 12)),
        "w": rng.standard_normal(rng.integers(2, 5)),
    }


def windows(x, w):
    """x[i + u] as [i, u]."""
    starts = np.arange(len(x) - len(w) + 1)
    return x[starts[:, None] + np.arange(len(w))]


def forward(x, w):
    """y[i] = sum over u of w[u] x[i + u]."""
    return {"y": windows(x, w) @ w}


def flipped(x, w):
    return {"y": windows(x, w) @ w[::-1]}


variants = {
    "This is the gradient with a flipped kernel. On this card, the kernel is not flipped.": flipped
}

SPREAD = """
def dx(x, w, dy):
    g = np.zeros(len(x))
    for i in range(len(dy)):
        g[i : i + len(w)] += dy[i] * w
    return g
"""

right = {
    "dx": [
        "np.convolve(dy, w)",
        SPREAD,
        "dx[j] = sum_u dy[j-u] w[u]",
        "dx[j] = sum(i,u) dy[i] w[u] [i+u=j]",
        "dx[j] = sum_i dy[i] w[j-i]",
    ],
    "dw": [
        "np.correlate(x, dy)",
        "dw[u] = sum_i dy[i] x[i+u]",
        r"dw_u = \sum_i \delta_i x_{i+u}",
    ],
}

wrong = {
    "dx": {
        "Where the windows overlap, messages must be added, not overwritten: += instead of =.": (
            SPREAD.replace("+=", "=")
        ),
        "The kernel has to slide past the ends: the cells near the border get messages too.": (
            "dx[j] = sum_u dy[j-u] w[u] [K-1<=j<=D-K]"
        ),
        "The index runs the wrong way: cell j is multiplied by weight u in output j - u, "
        "not j + u.": ("dx[j] = sum_u dy[j+u] w[u]"),
        "This is the message for an upstream of ones. Weight each output by its own upstream.": (
            "np.convolve(np.ones(len(dy)), w)"
        ),
        "This is the message from only one output. A cell affects up to K outputs: sum over all "
        "of them.": ("dx[j] = dy[j] w[0]"),
    },
    "dw": {
        "The positions run the wrong way: in output i, weight u multiplies cell i + u, "
        "not i - u.": ("dw[u] = sum_i dy[i] x[i-u]"),
        "The order of the weights is reversed. This layer does not flip its kernel.": (
            "np.correlate(x, dy)[::-1]"
        ),
        "You reversed the upstream, as np.convolve does. In output i, weight u multiplies cell i "
        "+ u.": ("np.convolve(x, dy, 'valid')"),
        "The kernel is shared by all positions: sum over them instead of keeping only the first.": (
            "x[:K] * dy[0]"
        ),
        "This is the message for an upstream of ones. Weight each position by its own upstream.": (
            "np.correlate(x, np.ones(len(dy)))"
        ),
        "You took the mean over the positions. The chain rule sums.": (
            "np.correlate(x, dy) / len(dy)"
        ),
    },
}
