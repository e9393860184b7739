"""A convolution of a sequence with input channels, output channels and a stride."""

import numpy as np

answers = {"dx": "backward message", "dw": "parameter message of the kernel"}
sizes = {"C": ("x", 0), "D": ("x", 1), "M": ("w", 0), "K": ("w", 2)}
hints = [
    "By which weight is input i multiplied at step t? There is at most one for each pair of "
    "channels."
]


def sample(rng):
    """Few channels, a stride of 2 or 3 and a kernel that is wider than the stride."""
    C, M = rng.permutation([2, 3])
    return {
        "x": rng.standard_normal((C, rng.integers(8, 11))),
        "w": rng.standard_normal((M, C, rng.integers(4, 6))),
        "s": rng.integers(2, 4),
    }


def windows(x, w, s):
    """x[c, s t + u] as [c, t, u]."""
    D, K = x.shape[1], w.shape[2]
    starts = s * np.arange((D - K) // s + 1)
    return x[:, starts[:, None] + np.arange(K)]


def forward(x, w, s):
    """y[m, t] = sum over c and u of w[m, c, u] x[c, s t + u]."""
    return {"y": np.tensordot(w, windows(x, w, s), axes=([1, 2], [0, 2]))}


def flipped(x, w, s):
    return forward(x, w[:, :, ::-1], s)


variants = {
    "This is the gradient with a flipped kernel. On this card, the kernel is not flipped.": flipped
}

SPREAD = """
def dx(x, w, s, dy):
    g = np.zeros(x.shape)
    for t in range(dy.shape[1]):
        g[:, s*t : s*t + w.shape[2]] += np.tensordot(dy[:, t], w, axes=1)
    return g
"""

COLLECT = """
def dw(x, w, s, dy):
    g = np.zeros(w.shape)
    for t in range(dy.shape[1]):
        g += dy[:, t, None, None] * x[:, s*t : s*t + w.shape[2]]
    return g
"""

right = {
    "dx": [
        SPREAD,
        "dx[c,i] = sum(m,t) dy[m,t] w[m,c,i-s*t]",
        "dx[c,i] = sum(m,t,u) dy[m,t] w[m,c,u] [s t + u = i]",
        r"dx_{ci} = \sum_{m,t} dy_{mt} w_{m,c,i-s*t}",
    ],
    "dw": [
        COLLECT,
        "dw[m,c,u] = sum_t dy[m,t] x[c,s*t+u]",
        r"dw_{mcu} = \sum_t dy_{mt} x_{c,s \cdot t+u}",
    ],
}

wrong = {
    "dx": {
        "Where the windows overlap, messages must be added, not overwritten: += instead of =.": (
            SPREAD.replace("+=", "=")
        ),
        "The stride is missing: step t begins at position s t.": SPREAD.replace("s*t", "t"),
        "You flipped the kernel. In the forward pass, weight u is at position s t + u.": (
            SPREAD.replace("w, axes", "w[:, :, ::-1], axes")
        ),
        "This is the message for an upstream of ones. Weight each output by its own upstream.": (
            SPREAD.replace("dy[:, t]", "np.ones(len(dy))")
        ),
        "This is the message from only one output channel. An input affects all of them: sum over "
        "m.": (SPREAD.replace("np.tensordot(dy[:, t], w, axes=1)", "dy[0, t] * w[0]")),
    },
    "dw": {
        "The stride is missing: step t begins at position s t.": COLLECT.replace("s*t", "t"),
        "The kernel is shared by all steps: sum over them instead of keeping only the last.": (
            COLLECT.replace("+=", "=")
        ),
        "You summed over the input channels, but each has weights of its own.": (
            COLLECT.replace("* x[:, ", "* x.sum(axis=0)[")
        ),
        "A weight belongs to one output channel: only the upstream of that channel reaches it.": (
            COLLECT.replace("dy[:, t, None, None]", "dy[:, t].sum()")
        ),
    },
}
