"""Softmax of a vector."""

import numpy as np

answers = ["dz", "dp_dz"]
assume = "z has at least two entries"
first_index = 1
hints = ("Write p_i as a quotient.", "Treat i = j apart.")
right = {
    "dz": "p * (dp - p @ dp)",
    "dp_dz": "np.diag(p) - np.outer(p, p)",
}
terms = {
    "dz": {
        "p ⊙ dp": lambda p, dp: p * dp,
        "the mean term": lambda p, dp: -p * (p @ dp),
    }
}


def sample(rng):
    return {"z": rng.standard_normal(rng.integers(3, 8))}


def forward(z):
    powers = np.exp(z - z.max())
    return {"p": powers / powers.sum()}
