"""Clamping where the bounds move too. Source: PyTorch clamp (tensor bounds); JAX clamp."""

import numpy as np

answers = ["dx", "dlo", "dhi"]


def sample(rng):
    n = rng.integers(3, 8)
    return {
        "x": 1.5 * rng.standard_normal(n),
        "lo": np.array(rng.uniform(-1.5, -0.3)),
        "hi": np.array(rng.uniform(0.3, 1.5)),
    }


def forward(x, lo, hi):
    return {"y": np.minimum(np.maximum(x, lo), hi)}
