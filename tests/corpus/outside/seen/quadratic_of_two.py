"""b^T X^T X c. Source: The Matrix Cookbook, second-order forms."""

import numpy as np

answers = ["dL_dX", "dL_db"]


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "b": rng.standard_normal(n),
        "X": rng.standard_normal((m, n)),
        "c": rng.standard_normal(n),
    }


def forward(b, X, c):
    return {"L": np.dot(np.dot(X, b), np.dot(X, c))}
