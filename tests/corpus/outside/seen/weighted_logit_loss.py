"""Cross-entropy from logits, positives weighted by w. Source: PyTorch, pos_weight."""

import numpy as np

answers = ["dL_dz"]


def let(z):
    return {"s": 1 / (1 + np.exp(-z))}


def sample(rng):
    n = rng.integers(3, 8)
    return {
        "z": rng.standard_normal(n),
        "t": rng.integers(2, size=n),
        "w": float(rng.uniform(0.5, 4.0)),
    }


def forward(z, t, w):
    return {"L": np.sum(w * t * np.log(1 + np.exp(-z)) + (1 - t) * np.log(1 + np.exp(z)))}
