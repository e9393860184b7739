"""Half the squared Frobenius norm of A X - B. Source: The Matrix Cookbook, Frobenius norm."""

import numpy as np

answers = ["dL_dX", "dL_dA"]


def sample(rng):
    m, n, p = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {
        "A": rng.standard_normal((m, n)),
        "X": rng.standard_normal((n, p)),
        "B": rng.standard_normal((m, p)),
    }


def forward(A, X, B):
    return {"L": np.sum((A @ X - B) ** 2) / 2}
