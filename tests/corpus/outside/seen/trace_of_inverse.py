"""tr(A X^-1 B). Source: The Matrix Cookbook, derivatives of an inverse."""

import numpy as np

answers = ["dL_dX"]


def sample(rng):
    n, p = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "A": rng.standard_normal((p, n)),
        "X": rng.standard_normal((n, n)) + 3 * np.diag(rng.choice([-1.0, 1.0], n)),
        "B": rng.standard_normal((n, p)),
    }


def forward(A, X, B):
    return {"L": np.trace(A @ np.linalg.inv(X) @ B)}
