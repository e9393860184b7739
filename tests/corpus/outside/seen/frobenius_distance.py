"""The Frobenius norm of X - A, not squared. Source: The Matrix Cookbook, norms; PyTorch dist."""

import numpy as np

answers = ["dr_dX", "dr_dA"]


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"X": rng.standard_normal((m, n)), "A": rng.standard_normal((m, n))}


def forward(X, A):
    return {"r": np.sqrt(np.sum((X - A) ** 2))}
