"""The squared error of a factorisation: E = |A - B C|^2."""

import numpy as np

sizes = {"r": ("B", 1)}


def sample(rng):
    n, m, r = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {
        "A": rng.standard_normal((n, m)),
        "B": rng.standard_normal((n, r)),
        "C": rng.standard_normal((r, m)),
    }


def let(A, B, C):
    return {"R": A - B @ C}


def forward(A, B, C):
    return {"E": np.sum((A - B @ C) ** 2)}


answers = ["dE_dB", "dE_dC"]
terms = {
    "dE_dB": {"the data": lambda A, C: -2 * A @ C.T, "the product": lambda B, C: 2 * B @ C @ C.T}
}
right = {
    "dE_dB": [
        "-2 * R @ C.T",
        "dE_dB_ik = -2 sum_j R_ij C_kj",
        "-2 (A - B C) C^T",
        "2 (B C - A) C^\\top",
    ],
    "dE_dC": ["2 * B.T @ (B @ C - A)", "dE_dC_kj = -2 sum_i B_ik R_ij", "-2 B^T R"],
}
remarks = {"dE_dB": {"convention": ["-2 dE R C^T"]}}
mistakes = {
    "dE_dB": {
        "sign": ["2 R C^T", "2 * (A - B @ C) @ C.T"],
        "factor": ["-(A - B C) C^T", "-R @ C.T"],
        "missing-term": ["-2 A C^T", "2 * B @ C @ C.T"],
        "term-factor": ["-2 (A + B C) C^T", "B @ C @ C.T - R @ C.T"],
        "transposed": ["-2 C R^T"],
        "other-gradient": ["-2 B^T R"],
        "size-factor": ["-2 * R @ C.T / r"],
        "unexplained": ["B @ C @ R.T @ B"],
    },
    "dE_dC": {
        "transposed": ["-2 R^T B"],
        "one-edit": ["2 * B.T @ (B @ C + A)"],
        "over-summed": ["(-2 * B.T @ R).sum(axis=1)"],
    },
}
