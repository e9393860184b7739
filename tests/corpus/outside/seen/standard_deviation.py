"""Unbiased standard deviation of a vector. Source: PyTorch std in derivatives.yaml."""

import numpy as np

answers = ["ds_dx"]
sizes = {"N": ("x", 0)}


def sample(rng):
    return {"x": 1 + 2 * rng.standard_normal(rng.integers(3, 8))}


def forward(x):
    return {"s": np.sqrt(np.sum((x - np.mean(x)) ** 2) / (len(x) - 1))}
