"""The squared Mahalanobis length u^T S^-1 u of a symmetric positive definite S."""

import numpy as np

symmetric = ["S"]


def sample(rng):
    n = int(rng.integers(2, 5))
    a = rng.standard_normal((n, n))
    return {"S": a @ a.T + n * np.eye(n), "u": rng.standard_normal(n)}


def forward(S, u):
    return {"m": u @ np.linalg.inv(S) @ u}


answers = ["dm_dS", "dm_du"]
right = {
    "dm_dS": [
        "-inv(S) @ np.outer(u, u) @ inv(S)",
        "-S^{-1} u u^T S^{-1}",
        "v = inv(S) @ u\n-np.outer(v, v)",
    ],
    "dm_du": ["2 * inv(S) @ u", "2 S^{-1} u", "2 * np.linalg.solve(S, u)"],
}
mistakes = {
    "dm_dS": {
        "sign": ["S^{-1} u u^T S^{-1}"],
        "factor": ["-2 S^{-1} u u^T S^{-1}"],
        "unexplained": ["-u u^T", "inv(S)"],
    },
    "dm_du": {"factor": ["S^{-1} u"], "sign": ["-2 * inv(S) @ u"], "unexplained": ["2 * S @ u"]},
}
