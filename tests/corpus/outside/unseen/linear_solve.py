"""x = A^-1 b. Source: PyTorch gesv/linalg_solve in derivatives.yaml; JAX linear solve."""

import numpy as np

answers = ["dA", "db"]


def sample(rng):
    n = rng.integers(2, 6)
    return {
        "A": rng.standard_normal((n, n)) + 3 * np.diag(rng.choice([-1.0, 1.0], n)),
        "b": rng.standard_normal(n),
    }


def forward(A, b):
    return {"x": np.linalg.solve(A, b)}
