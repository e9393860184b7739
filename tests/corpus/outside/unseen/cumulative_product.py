"""Running products. Source: PyTorch cumprod in derivatives.yaml; JAX cumprod."""

import numpy as np


def sample(rng):
    n = rng.integers(3, 7)
    return {"x": rng.choice([-1.0, 1.0], n) * rng.uniform(0.5, 1.6, n)}


def forward(x):
    n = len(x)
    below = np.tril(np.ones((n, n)))
    return {"y": np.prod(x * below + (1 - below), axis=1)}
