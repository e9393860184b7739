"""Mean and variance at once: two upstream gradients. Source: JAX moments; PyTorch var_mean."""

import numpy as np

answers = ["dx"]
sizes = {"N": ("x", 0)}


def sample(rng):
    return {"x": 1 + rng.standard_normal(rng.integers(2, 8))}


def forward(x):
    m = np.mean(x)
    return {"m": m, "v": np.mean((x - m) ** 2)}
