"""Scaled ELU with any two constants. Source: PyTorch elu (scale, alpha) in derivatives.yaml."""

import numpy as np

symbols = {"lam": "λ", "alpha": "α"}


def sample(rng):
    return {
        "x": rng.standard_normal(rng.integers(2, 8)),
        "lam": float(rng.uniform(0.5, 2.0)),
        "alpha": float(rng.uniform(0.5, 2.0)),
    }


def forward(x, lam, alpha):
    return {"y": lam * np.where(x > 0, x, alpha * (np.exp(x) - 1))}
