"""Cosine embedding loss of a pair. Source: PyTorch cosine_embedding_loss."""

import numpy as np

answers = ["dL_da"]


def let(a, b):
    return {"c": a @ b / np.linalg.norm(a) / np.linalg.norm(b)}


def sample(rng):
    n = rng.integers(2, 5)
    return {
        "a": rng.standard_normal(n),
        "b": rng.standard_normal(n),
        "t": int(rng.choice([-1, 1])),
        "m": float(rng.uniform(-0.3, 0.5)),
    }


def forward(a, b, t, m):
    c = np.dot(a, b) / np.sqrt(np.sum(a**2)) / np.sqrt(np.sum(b**2))
    return {"L": 1 - c if t == 1 else np.maximum(0.0, c - m)}
