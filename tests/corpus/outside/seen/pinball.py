"""Pinball loss of a quantile. Source: Koenker, Quantile Regression."""

import numpy as np

answers = ["dL_dq"]
symbols = {"tau": "τ"}
sizes = {"N": ("q", 0)}


def sample(rng):
    n = rng.integers(3, 8)
    return {
        "q": rng.standard_normal(n),
        "y": rng.standard_normal(n),
        "tau": float(rng.uniform(0.1, 0.9)),
    }


def forward(q, y, tau):
    d = y - q
    return {"L": np.mean(np.maximum(tau * d, (tau - 1) * d))}
