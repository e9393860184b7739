"""tr(A X B X^T). Source: The Matrix Cookbook, second-order traces."""

import numpy as np

answers = ["dL_dX"]


def sample(rng):
    n, p = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "A": rng.standard_normal((n, n)),
        "X": rng.standard_normal((n, p)),
        "B": rng.standard_normal((p, p)),
    }


def forward(A, X, B):
    return {"L": np.trace(A @ X @ B @ X.T)}
