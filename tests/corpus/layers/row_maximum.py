"""The largest entry of each row: y_n = max_k X_nk."""

import numpy as np


def sample(rng):
    N, K = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {"X": rng.standard_normal((N, K))}


def forward(X):
    return {"y": np.max(X, axis=1)}


right = {
    "dX": [
        "one_hot(X.argmax(axis=1), X.shape[1]) * dy[:, None]",
        "m = X == y[:, None]\nm / m.sum(axis=1, keepdims=True) * dy[:, None]",
        "dX_nk = dy_n [X_nk = y_n] / (sum_j [X_nj = y_n])",
    ],
    "y": ["X.max(axis=1)", "y_n = max_k X_nk"],
}
answers = ["y", "dX"]
remarks = {"dX": {"ties": ["(X == y[:, None]) * dy[:, None]", "dX_nk = dy_n [X_nk = y_n]"]}}
mistakes = {
    "dX": {
        "upstream-ignored": ["X == y[:, None]", "dX_nk = [X_nk = y_n]"],
        "partly": ["(X == X.max()) * dy[:, None]", "dX_nk = dy_n [X_nk = max_j X_jk]"],
        "sign": ["dX_nk = -dy_n [X_nk = y_n]"],
        "over-summed": ["dy"],
    },
    "y": {
        "one-edit": ["X.max(axis=0)"],
        "unexplained": ["y_n = sum_k X_nk"],
        "sign": ["-X.max(axis=1)"],
    },
}
