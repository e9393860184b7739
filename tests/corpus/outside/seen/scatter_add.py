"""Entries added into bins. Source: PyTorch scatter_add and index_add in derivatives.yaml."""

import numpy as np


def sample(rng):
    n, bins = rng.choice([3, 4, 5, 6], size=2, replace=False)
    return {"x": rng.standard_normal(n), "k": rng.integers(bins, size=n), "M": int(bins)}


def forward(x, k, M):
    return {"y": np.dot(1.0 * (np.arange(M)[:, None] == k), x)}
