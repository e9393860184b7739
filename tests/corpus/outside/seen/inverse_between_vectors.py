"""a^T X^-1 b. Source: The Matrix Cookbook, derivatives of an inverse."""

import numpy as np

answers = ["dL_dX", "dL_da"]


def sample(rng):
    n = rng.integers(2, 6)
    return {
        "a": rng.standard_normal(n),
        "X": rng.standard_normal((n, n)) + 3 * np.diag(rng.choice([-1.0, 1.0], n)),
        "b": rng.standard_normal(n),
    }


def forward(a, X, b):
    return {"L": np.dot(a, np.linalg.solve(X, b))}
