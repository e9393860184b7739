"""The swish activation y = x s(x) with the logistic function s."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 8))}


def let(x):
    return {"s": 1 / (1 + np.exp(-x))}


def forward(x):
    return {"y": x / (1 + np.exp(-x))}


terms = {
    "dx": {
        "the gate": lambda dy, s: dy * s,
        "the gate's slope": lambda dy, x, s: dy * x * s * (1 - s),
    }
}
right = {
    "dx": [
        "dy * (s + x * s * (1 - s))",
        "dy * (y + s * (1 - y))",
        "dx_i = dy_i (s_i + y_i (1 - s_i))",
        "dy ⊙ (y + s ⊙ (1 - y))",
    ]
}
mistakes = {
    "dx": {
        "missing-term": ["dy * s", "dx_i = dy_i x_i s_i (1 - s_i)", "dy ⊙ s"],
        "term-factor": ["dy * (s - x * s * (1 - s))", "dy * (s + 2 * x * s * (1 - s))"],
        "upstream-ignored": ["s + x * s * (1 - s)"],
        "sign": ["-dy * (s + x * s * (1 - s))"],
        "one-edit": ["dx_i = dy_i (s_i + s_i (1 - s_i))"],
    }
}
