"""sqrt(a^2 + b^2), entry by entry. Source: PyTorch hypot in derivatives.yaml."""

import numpy as np

answers = ["da"]


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"a": rng.standard_normal((m, n)), "b": rng.standard_normal((m, n))}


def forward(a, b):
    return {"r": np.sqrt(a**2 + b**2)}
