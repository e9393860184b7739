"""The Euclidean length of a vector."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(2, 7))}


def forward(x):
    return {"r": np.sqrt(np.sum(x**2))}


wrong = {"dr_dx": {"this is half the gradient of the squared length": "x"}}
right = {"dr_dx": ["x / norm(x)", "x / r", "dr_dx_i = x_i / sqrt(sum_k x_k^2)", "x / norm(x)"]}
remarks = {"dr_dx": {"orientation": ["1/r x^T"], "convention": ["dr * x / r"]}}
mistakes = {
    "dr_dx": {
        "known-mistake": ["x", "dr_dx_i = x_i"],
        "sign": ["-x / r"],
        "factor": ["2 * x / r"],
        "one-edit": ["x * r"],
        "unexplained": ["np.ones_like(x)"],
    }
}
