"""The inverse of a square matrix: Y = A^-1."""

import numpy as np


def sample(rng):
    n = int(rng.integers(2, 5))
    return {"A": rng.standard_normal((n, n)) + 2 * np.eye(n)}


def forward(A):
    return {"Y": np.linalg.inv(A)}


right = {
    "dA": [
        "-Y.T @ dY @ Y.T",
        "-inv(A.T) @ dY @ inv(A.T)",
        "dA_ij = -sum_{k,l} Y_ki dY_kl Y_jl",
        "-Y^T dY Y^T",
        "dA = -A^{-\\top} \\delta A^{-\\top}",
    ]
}
mistakes = {
    "dA": {
        "sign": ["Y.T @ dY @ Y.T", "Y^T dY Y^T", "dA_ij = sum_{k,l} Y_ki dY_kl Y_jl"],
        "transposed": ["-Y dY^T Y"],
        "one-edit": ["-Y @ dY @ Y.T", "-Y^T dY Y", "-Y^T dY^T Y^T"],
        "upstream-ignored": ["-Y.T @ np.ones_like(Y) @ Y.T"],
        "input-for-output": ["-A^T dY A^T"],
        "jacobian": ["-np.einsum('ki,jl->klij', Y, Y)"],
        "unexplained": ["-dY Y^T Y^T", "-Y dY Y"],
    }
}
