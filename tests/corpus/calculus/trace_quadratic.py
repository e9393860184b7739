"""A quadratic form of a matrix: t = tr(X^T A X)."""

import numpy as np


def sample(rng):
    n, k = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"A": rng.standard_normal((n, n)), "X": rng.standard_normal((n, k))}


def forward(A, X):
    return {"t": np.trace(X.T @ A @ X)}


right = {
    "dt_dX": ["(A + A.T) @ X", "dt_dX_ik = sum_j (A_ij + A_ji) X_jk", "(A + A^T) X"],
    "dt_dA": ["X @ X.T", "dt_dA_ij = sum_k X_ik X_jk", "X X^\\top"],
}
mistakes = {
    "dt_dX": {
        "transposed": ["X^T (A + A^T)"],
        "other-gradient": ["X X^T"],
        "one-edit": ["A X + A X"],
        "factor": ["1/2 (A + A^T) X"],
        "sign": ["-(A + A^T) X"],
        "unexplained": ["A X"],
        "over-summed": ["((A + A.T) @ X).sum(axis=1)"],
    },
    "dt_dA": {
        "sign": ["-X X^T"],
        "not-summed": ["X[:, None, :] * X[None, :, :]"],
        "factor": ["2 * X @ X.T"],
    },
}
