"""GELU in its tanh form. Source: PyTorch gelu (approximate='tanh') in derivatives.yaml."""

import numpy as np


def let(x):
    return {"t": np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))}


def sample(rng):
    return {"x": 1.5 * rng.standard_normal(rng.integers(2, 8))}


def forward(x):
    return {"y": x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))}
