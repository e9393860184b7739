"""A score of a two-layer network. Source: textbooks on backpropagation (Goodfellow et al., 6.5)."""

import numpy as np

answers = ["ds_dW", "ds_dv", "ds_dx"]


def let(W, x):
    return {"z": W @ x}


def sample(rng):
    k, d = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "W": rng.standard_normal((k, d)),
        "v": rng.standard_normal(k),
        "x": rng.standard_normal(d),
    }


def forward(W, v, x):
    return {"s": np.dot(v, np.maximum(np.dot(W, x), 0))}
