"""A vector with mean 0 and variance 1. Source: JAX nn.standardize; PyTorch native_layer_norm."""

import numpy as np

sizes = {"N": ("x", 0)}


def let(x):
    return {"mu": np.mean(x), "s": np.std(x)}


def sample(rng):
    return {"x": 0.5 + 1.5 * rng.standard_normal(rng.integers(3, 8))}


def forward(x):
    d = x - np.mean(x)
    return {"y": d / np.sqrt(np.mean(d**2))}
