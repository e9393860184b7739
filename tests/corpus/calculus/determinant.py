"""The determinant of a square matrix."""

import numpy as np


def sample(rng):
    n = int(rng.integers(2, 5))
    return {"A": rng.standard_normal((n, n)) + 2 * np.eye(n)}


def forward(A):
    return {"D": np.linalg.det(A)}


right = {
    "dD_dA": ["det(A) * inv(A).T", "D * np.linalg.inv(A.T)", "det(A) (A^{-1})^T", "D A^{-\\top}"]
}
remarks = {"dD_dA": {"convention": ["dD D A^{-\\top}"]}}
mistakes = {
    "dD_dA": {
        "transposed": ["D A^{-1}", "det(A) * inv(A)"],
        "sign": ["-D (A^{-1})^T"],
        "factor": ["D (A^{-1})^T / 2"],
        "unexplained": ["inv(A).T", "D * A.T"],
        "size-factor": ["len(A) * D * inv(A).T"],
    }
}
