"""The largest of several affine maps. Source: Goodfellow et al. 2013, maxout networks."""

import numpy as np

answers = ["dm_dx", "dm_dW", "dm_db"]


def let(W, x, b):
    return {"z": W @ x + b}


def sample(rng):
    k, d = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "W": rng.standard_normal((k, d)),
        "x": rng.standard_normal(d),
        "b": rng.standard_normal(k),
    }


def forward(W, x, b):
    return {"m": np.max(np.dot(W, x) + b)}
