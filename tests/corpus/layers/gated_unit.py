"""A gated linear unit: y = a s(g) with the logistic function s."""

import numpy as np


def sample(rng):
    shape = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"a": rng.standard_normal(shape), "g": rng.standard_normal(shape)}


def forward(a, g):
    return {"y": a / (1 + np.exp(-g))}


right = {
    "da": ["dy * sigmoid(g)", "da_ij = dy_ij σ(g_ij)", "dy ⊙ σ(g)"],
    "dg": [
        "dy * a * sigmoid(g) * (1 - sigmoid(g))",
        "dg_ij = dy_ij y_ij (1 - σ(g_ij))",
        "dy ⊙ y ⊙ (1 - σ(g))",
    ],
}
mistakes = {
    "da": {
        "other-gradient": ["dy * y * (1 - sigmoid(g))"],
        "upstream-ignored": ["sigmoid(g)"],
        "sign": ["-dy ⊙ σ(g)"],
        "one-edit": ["dy * sigmoid(a)"],
    },
    "dg": {
        "other-gradient": ["dy * sigmoid(g)"],
        "upstream-ignored": ["y * (1 - sigmoid(g))"],
        "input-for-output": ["dy * a * (1 - sigmoid(g))"],
        "unexplained": ["dy * sigmoid(g) * (1 - sigmoid(g))"],
    },
}
