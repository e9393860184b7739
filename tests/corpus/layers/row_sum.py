"""The sum of each row: y_n = sum_k X_nk."""

import numpy as np

sizes = {"N": ("X", 0), "K": ("X", 1)}


def sample(rng):
    N, K = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {"X": rng.standard_normal((N, K))}


def forward(X):
    return {"y": np.sum(X, axis=1)}


right = {
    "dX": [
        "dy[:, None] * np.ones(X.shape)",
        "np.outer(dy, np.ones(K))",
        "dX_nk = dy_n",
        "dy \\mathbf{1}^T",
    ]
}
mistakes = {
    "dX": {
        "size-factor": ["np.outer(dy, np.ones(K)) / K", "dX_nk = 1/N dy_n"],
        "upstream-ignored": ["np.ones(X.shape)", "dX_nk = 1"],
        "transposed": ["np.outer(np.ones(K), dy)"],
        "sign": ["-dy \\mathbf{1}^T"],
        "factor": ["1.0001 * np.outer(dy, np.ones(K))"],
        "unexplained": ["dy", "dy[:, None]", "sum(dy) * X"],
    }
}
