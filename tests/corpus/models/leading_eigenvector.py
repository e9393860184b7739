"""A unit eigenvector of the largest eigenvalue of a symmetric matrix, of either sign."""

import numpy as np

answers = ["v"]


def sample(rng):
    n = int(rng.integers(2, 6))
    q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    return {"A": q @ np.diag(np.arange(1.0, n + 1)) @ q.T}


def reference(A):
    return {"v": np.linalg.eigh(A)[1][:, -1]}


def accept(name, answer, A, v):
    if answer.shape != v.shape:
        return None
    if abs(np.linalg.norm(answer) - 1) > 1e-6:
        return "it has not the length one"
    return bool(abs(abs(answer @ v) - 1) < 1e-9)


right = {
    "v": [
        "np.linalg.eigh(A)[1][:, -1]",
        "-np.linalg.eigh(A)[1][:, -1]",
        "np.linalg.svd(A)[0][:, 0]",
    ]
}
mistakes = {
    "v": {
        "one-edit": ["2 * np.linalg.eigh(A)[1][:, -1]", "np.linalg.eigh(A)[1][:, 0]"],
        "unexplained": ["A[0]", "np.ones(len(A)) / len(A)"],
    },
}
