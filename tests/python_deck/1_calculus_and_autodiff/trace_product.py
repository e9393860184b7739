"""The trace of a product of three matrices."""

import numpy as np

answers = {
    "df_dX": "gradient with respect to the second factor",
    "df_dA": "gradient with respect to the first factor",
}
sizes = {"M": ("A", 0), "N": ("A", 1), "P": ("B", 0)}


def sample(rng):
    M, N, P = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    return {
        "A": rng.standard_normal((M, N)),
        "X": rng.standard_normal((N, P)),
        "B": rng.standard_normal((P, M)),
    }


def forward(A, X, B):
    return {"f": np.trace(A @ X @ B)}


def sum_of_all_entries(A, X, B):
    return {"f": (A @ X @ B).sum()}


variants = {"This is the gradient of the sum of all entries of A X B.": sum_of_all_entries}

right = {
    "df_dX": [
        "A.T @ B.T",
        "df_dX[n,p] = sum_m A[m,n] B[p,m]",
        r"A^\top B^\top",
        r"(B A)^\top",
    ],
    "df_dA": [
        "(X @ B).T",
        "df_dA[m,n] = sum_p X[n,p] B[p,m]",
        r"B^\top X^\top",
    ],
}

wrong = {
    "df_dX": {
        "This is the transpose: the gradient has the shape of X.": "B @ A",
        "The derivative no longer contains X: the trace is linear in it.": (
            "np.trace(A @ X @ B) * A.T @ B.T"
        ),
        "B is missing. Every entry of X is multiplied by entries of A and of B.": (
            "A.T @ np.ones((M, P))"
        ),
        "A is missing. Every entry of X is multiplied by entries of A and of B.": (
            "np.ones((N, M)) @ B.T"
        ),
    },
    "df_dA": {
        "This is the transpose: the gradient has the shape of A.": "X @ B",
        "X is missing. Entry (m, n) of A is multiplied by entry (n, m) of the product X B.": (
            "B.T @ np.ones((P, N))"
        ),
        "B is missing. Entry (m, n) of A is multiplied by entry (n, m) of the product X B.": (
            "np.ones((M, P)) @ X.T"
        ),
        "The derivative no longer contains A: the trace is linear in it.": (
            "np.trace(A @ X @ B) * (X @ B).T"
        ),
    },
}
