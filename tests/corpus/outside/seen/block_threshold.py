"""The group lasso's proximal step. Source: Parikh and Boyd, Proximal Algorithms, section 6.5."""

import numpy as np

symbols = {"lam": "λ"}


def let(x):
    return {"n": np.linalg.norm(x)}


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(2, 5)), "lam": float(rng.uniform(0.5, 2.0))}


def forward(x, lam):
    return {"y": np.maximum(0.0, 1 - lam / np.sqrt(np.sum(x**2))) * x}
