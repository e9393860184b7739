"""Contrastive loss of a pair, label 1: alike. Source: Hadsell, Chopra, LeCun 2006."""

import numpy as np

answers = ["dL_da"]


def sample(rng):
    n = rng.integers(2, 5)
    return {
        "a": 0.7 * rng.standard_normal(n),
        "b": 0.7 * rng.standard_normal(n),
        "s": int(rng.integers(2)),
        "m": float(rng.uniform(0.8, 2.5)),
    }


def forward(a, b, s, m):
    d = np.sqrt(np.sum((a - b) ** 2))
    return {"L": s * d**2 + (1 - s) * np.maximum(0.0, m - d) ** 2}
