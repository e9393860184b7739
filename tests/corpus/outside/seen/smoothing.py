"""Exponential smoothing from h = 0. Source: JAX scan; textbooks on backpropagation through time."""

import numpy as np

symbols = {"alpha": "α"}
sizes = {"T": ("x", 0)}
assume = "0 < α < 1"


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 7)), "alpha": float(rng.uniform(0.2, 0.9))}


def forward(x, alpha):
    t = np.arange(len(x))
    lag = t[:, None] - t
    return {"h": np.dot((1 - alpha) * np.where(lag >= 0, alpha ** np.maximum(lag, 0), 0.0), x)}
