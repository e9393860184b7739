"""A linear layer over a batch: y = W x + b, one example a column."""

import numpy as np

answers = {"dW": "parameter message", "dx": "backward message", "db": "parameter message"}
sizes = {"N": ("x", 1)}
right = {"dW": ["dy @ x.T"], "dx": ["W.T @ dy"], "db": ["dy.sum(axis=1)"]}
wrong = {
    "dW": {
        "the upstream is there once too often": lambda x, dy: (dy * dy) @ x.T,
        "x must be transposed, not dy": "(x @ dy.T).T + 1",
    }
}
variants = {"this is the gradient of a layer with a doubled input": lambda W, x, b: W @ x**2}


def sample(rng):
    n, d, m = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {
        "W": rng.standard_normal((m, d)),
        "x": rng.standard_normal((d, n)),
        "b": rng.standard_normal(m),
    }


def forward(W, x, b):
    return {"y": W @ x + b[:, np.newaxis]}


def reference(W, x, dy):
    return {"dW": dy @ x.T, "dx": W.T @ dy}
