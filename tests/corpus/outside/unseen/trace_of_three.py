"""tr(A X B) with respect to X. Source: The Matrix Cookbook, derivatives of traces, first order."""

import numpy as np

answers = ["dL_dX"]


def sample(rng):
    m, n, p = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {
        "A": rng.standard_normal((p, m)),
        "X": rng.standard_normal((m, n)),
        "B": rng.standard_normal((n, p)),
    }


def forward(A, X, B):
    return {"L": np.trace(A @ X @ B)}
