"""The entropy of softmax(z). Source: textbooks on policy gradients (entropy bonus); JAX softmax."""

import numpy as np

answers = ["dH_dz"]


def let(z):
    return {"p": np.exp(z) / np.sum(np.exp(z))}


def sample(rng):
    return {"z": 1.5 * rng.standard_normal(rng.integers(2, 7))}


def forward(z):
    p = np.exp(z) / np.sum(np.exp(z))
    return {"H": -np.sum(p * np.log(p))}
