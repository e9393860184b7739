"""A Gaussian kernel matrix. Source: Rasmussen and Williams, Gaussian Processes, chapter 5."""

import numpy as np

symbols = {"gamma": "γ"}


def sample(rng):
    n, d = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "X": 0.7 * rng.standard_normal((n, d)),
        "z": 0.7 * rng.standard_normal(d),
        "gamma": np.array(rng.uniform(0.2, 1.5)),
    }


def forward(X, z, gamma):
    return {"k": np.exp(-gamma * np.sum((X - z) ** 2, axis=1))}
