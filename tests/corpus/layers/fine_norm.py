"""Standardisation of one vector with a tiny eps: y = (x - mean) / sqrt(var + eps)."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 8)), "eps": 1e-5}


def let(x, eps):
    return {"s": np.sqrt(np.var(x) + eps)}


def forward(x, eps):
    centred = x - np.mean(x)
    return {"y": centred / np.sqrt(np.mean(centred**2) + eps)}


variants = {
    "this is the gradient without eps": lambda x: {
        "y": (x - np.mean(x)) / np.sqrt(np.mean((x - np.mean(x)) ** 2))
    }
}
right = {
    "dx": [
        "(dy - mean(dy) - y * mean(dy * y)) / s",
        "dx_i = 1/s (dy_i - mean_j dy_j - y_i mean_k (dy_k y_k))",
    ]
}
mistakes = {
    "dx": {
        "variant": [
            "r = np.std(x)\nz = (x - mean(x)) / r\ndx = (dy - mean(dy) - z * mean(dy * z)) / r"
        ],
        "sign": ["(mean(dy) - dy + y * mean(dy * y)) / s"],
        "factor": ["1.001 * (dy - mean(dy) - y * mean(dy * y)) / s"],
        "one-edit": ["(dy - mean(dy) + y * mean(dy * y)) / s"],
        "unexplained": ["(dy - mean(dy) - y * mean(dy * y)) / np.std(x)"],
    }
}
