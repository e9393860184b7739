"""Length and angle of points. Source: PyTorch hypot and atan2 in derivatives.yaml; JAX."""

import numpy as np

answers = ["da", "db"]


def sample(rng):
    n = rng.integers(2, 7)
    return {"a": rng.standard_normal(n), "b": rng.standard_normal(n)}


def forward(a, b):
    return {"r": np.sqrt(a**2 + b**2), "phi": np.arctan2(b, a)}
