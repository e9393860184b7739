"""The trace of a product: t = tr(A B)."""

import numpy as np


def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"A": rng.standard_normal((n, m)), "B": rng.standard_normal((m, n))}


def forward(A, B):
    return {"t": np.trace(A @ B)}


right = {
    "dt_dA": ["B.T", "dt_dA_ij = B_ji", "B^T", "B^\\top"],
    "dt_dB": ["A.T", "dt_dB_ij = A_ji", "A^T"],
}
remarks = {"dt_dA": {"convention": ["dt * B.T", "dt B^T"]}}
mistakes = {
    "dt_dA": {
        "transposed": ["B", "dt * B", "dt_dA_ij = B_ij"],
        "other-gradient": ["A^T", "A.T"],
        "sign": ["-B^T"],
        "factor": ["B^T / 2"],
        "flipped": ["B.T[::-1]"],
        "over-summed": ["B.sum(axis=0)"],
    },
    "dt_dB": {"transposed": ["A"], "other-gradient": ["B^T"], "unexplained": ["A.T @ B.T @ A.T"]},
}
