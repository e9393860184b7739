"""log det(X^T X). Source: The Matrix Cookbook, derivatives of determinants: 2 (X^+)^T."""

import numpy as np

answers = ["dL_dX"]


def sample(rng):
    p, n = np.sort(rng.choice([2, 3, 4, 5, 6], size=2, replace=False))
    return {"X": rng.standard_normal((n, p))}


def forward(X):
    return {"L": np.log(np.linalg.det(X.T @ X))}
