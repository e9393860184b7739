"""x for alike, max(0, m - x) for different. Source: PyTorch hinge_embedding_loss."""

import numpy as np


def sample(rng):
    n = rng.integers(3, 8)
    return {
        "x": rng.uniform(0.0, 2.0, n) - 0.5,
        "t": rng.choice([-1, 1], n),
        "m": float(rng.uniform(0.4, 1.2)),
    }


def forward(x, t, m):
    return {"y": np.where(t == 1, x, np.maximum(0.0, m - x))}
