"""The harmonic mean. Source: PyTorch reciprocal and mean in derivatives.yaml, chained."""

import numpy as np

answers = ["dh_dx"]
sizes = {"N": ("x", 0)}
assume = "x > 0"


def sample(rng):
    return {"x": rng.uniform(0.3, 3.0, rng.integers(2, 8))}


def forward(x):
    return {"h": len(x) / np.sum(1 / x)}
