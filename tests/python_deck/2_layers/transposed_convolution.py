"""A transposed convolution of a signal: copies of the kernel, a stride apart, are added up."""

import numpy as np

answers = {"dx": "backward message", "dw": "parameter message of the kernel"}
sizes = {"D": ("x", 0), "K": ("w", 0)}
hints = ["At which positions in the output does input j place its copy of the kernel?"]


def sample(rng):
    """A stride of 2 or 3, a kernel that is wider, and more inputs than weights."""
    s = rng.integers(2, 4)
    return {
        "x": rng.standard_normal(rng.integers(6, 9)),
        "w": rng.standard_normal(rng.integers(s + 1, 6)),
        "s": s,
    }


def places(x, w, s):
    """[s j + u = i] as [j, i, u]."""
    i = np.arange(s * (len(x) - 1) + len(w))
    j, u = np.arange(len(x)), np.arange(len(w))
    return 1.0 * (s * j[:, None, None] + u == i[:, None])


def forward(x, w, s):
    """y[i] = sum of x[j] w[u] over all j and u with s j + u = i."""
    return {"y": np.tensordot(x, places(x, w, s), axes=1) @ w}


def flipped(x, w, s):
    return forward(x, w[::-1], s)


variants = {
    "This is the gradient with a flipped kernel. On this card, the kernel is not flipped.": flipped
}

WINDOWS = "seen = dy[s * np.arange(D)[:, None] + np.arange(K)]\n"

right = {
    "dx": [
        WINDOWS + "dx = seen @ w",
        "dx[j] = sum_u dy[s*j+u] w[u]",
        "dx[j] = sum(i,u) dy[i] w[u] [s j + u = i]",
        r"dx_j = \sum_{i} dy_i w_{i-s*j}",
    ],
    "dw": [
        WINDOWS + "dw = x @ seen",
        "dw[u] = sum_j dy[s*j+u] x[j]",
        r"dw_u = \sum_j dy_{s \cdot j+u} x_j",
    ],
}

wrong = {
    "dx": {
        "The stride is missing: the copy of input j begins at position s j.": (
            "dy[np.arange(D)[:, None] + np.arange(K)] @ w"
        ),
        "You flipped the kernel: in the copy of input j, weight u lies at position s j + u. "
        "Use the upstream there.": (WINDOWS + "dx = seen @ w[::-1]"),
        "This is the message for an upstream of ones. Weight each position by its own upstream.": (
            "np.ones(D) * w.sum()"
        ),
        "Each input affects K outputs. You kept only the first of them.": (
            WINDOWS + "dx = seen[:, 0] * w[0]"
        ),
        "This sends the upstream through the layer once more. The backward pass is the transpose "
        "of the layer and makes the signal shorter.": "dx[j] = sum(i,u) dy[i] w[u] [s i + u = j]",
    },
    "dw": {
        "The stride is missing: the copy of input j begins at position s j.": (
            "x @ dy[np.arange(D)[:, None] + np.arange(K)]"
        ),
        "You flipped the kernel: in the copy of input j, weight u lies at position s j + u. "
        "Use the upstream there.": (WINDOWS + "dw = (x @ seen)[::-1]"),
        "The input is missing: each copy of the kernel was scaled by its input.": (
            WINDOWS + "dw = seen.sum(axis=0)"
        ),
        "All inputs share the kernel: sum over the copies.": WINDOWS + "dw = x[:, None] * seen",
    },
}
