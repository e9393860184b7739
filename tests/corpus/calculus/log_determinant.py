"""The logarithm of the absolute determinant of a square matrix."""

import numpy as np


def sample(rng):
    n = int(rng.integers(2, 6))
    return {"A": rng.standard_normal((n, n)) + 2 * np.eye(n)}


def forward(A):
    return {"f": np.linalg.slogdet(A)[1]}


right = {"df_dA": ["np.linalg.inv(A).T", "inv(A.T)", "(A^{-1})^T", "A^{-\\top}"]}
remarks = {"df_dA": {"convention": ["df * inv(A).T"]}}
mistakes = {
    "df_dA": {
        "transposed": ["inv(A)", "A^{-1}", "df * inv(A)"],
        "sign": ["-inv(A).T", "-(A^{-1})^T"],
        "factor": ["2 (A^{-1})^T"],
        "unexplained": ["det(A) * inv(A).T", "A.T", "tr(inv(A))"],
    }
}
