"""tr(X^3). Source: The Matrix Cookbook, higher-order traces: n (X^{n-1})^T."""

import numpy as np

answers = ["dL_dX"]


def sample(rng):
    n = rng.integers(2, 6)
    return {"X": rng.standard_normal((n, n))}


def forward(X):
    return {"L": np.trace(X @ X @ X)}
