"""Smoothed class-conditional frequencies of binary features: q_cd = (n_cd + a) / (n_c + 2 a)."""

import numpy as np

answers = ["q"]


def sample(rng):
    N, C, d = rng.choice([3, 4, 5, 6, 8], size=3, replace=False)
    return {
        "X": rng.integers(0, 2, size=(N, d)),
        "T": np.eye(C, dtype=int)[rng.integers(0, C, size=N)],
        "a": float(rng.uniform(0.3, 2.0)),
    }


def reference(X, T, a):
    return {"q": (T.T @ X + a) / (T.sum(axis=0)[:, None] + 2 * a)}


wrong = {
    "q": {"there are two values to smooth for": "(T.T @ X + a) / (T.sum(axis=0)[:, None] + a)"}
}
right = {
    "q": [
        "(T.T @ X + a) / (sum(T, axis=0)[:, None] + 2 * a)",
        "q_cd = (a + sum_n T_nc X_nd) / (2 a + sum_n T_nc)",
    ]
}
mistakes = {
    "q": {
        "known-mistake": ["q_cd = (a + sum_n T_nc X_nd) / (a + sum_n T_nc)"],
        "transposed": ["((T.T @ X + a) / (sum(T, axis=0)[:, None] + 2 * a)).T"],
        "factor": ["(T.T @ X + a) / (sum(T, axis=0)[:, None] + 2 * a) * 2"],
        "one-edit": ["(T.T @ X - a) / (sum(T, axis=0)[:, None] + 2 * a)"],
        "unexplained": ["(T.T @ X + a) / (len(X) + 2 * a)"],
    }
}
