"""The local derivative of x / sum x. Source: Wikipedia, Matrix calculus (vector by vector)."""

import numpy as np

answers = ["dy_dx"]
assume = "x > 0"


def let(x):
    return {"s": np.sum(x)}


def sample(rng):
    return {"x": rng.uniform(0.2, 2.0, rng.integers(2, 7))}


def forward(x):
    return {"y": x / np.sum(x)}
