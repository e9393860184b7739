"""The angle of (b, a). Source: PyTorch atan2 in derivatives.yaml; JAX atan2."""

import numpy as np


def sample(rng):
    n = rng.integers(2, 8)
    return {"a": rng.standard_normal(n), "b": rng.standard_normal(n)}


def forward(a, b):
    return {"y": np.arctan2(a, b)}
