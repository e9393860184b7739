"""Linear interpolation at midpoints. Source: PyTorch upsample_linear1d in derivatives.yaml."""

import numpy as np

sizes = {"N": ("x", 0)}


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 7))}


def forward(x):
    n = len(x)
    at = np.arange(2 * n - 1)[:, None] / 2
    return {"y": np.dot(np.maximum(0, 1 - np.abs(at - np.arange(n))), x)}
