"""A ReLU with a fixed small slope below zero."""

import numpy as np

answers = {"dx": "backward message"}
sizes = {"D": ("x", 0)}
symbols = {"alpha": "α"}
assume = "0 < α < 1"


def sample(rng):
    """An input with components of both signs, and a slope far from 0 and 1."""
    x = rng.standard_normal(rng.integers(6, 12))
    x[:2] = np.abs(x[0]), -np.abs(x[1])
    return {"x": x, "alpha": rng.uniform(0.1, 0.4)}


def forward(x, alpha):
    """y[i] is x[i] where that is positive, else alpha x[i]."""
    return {"y": np.where(x > 0, x, alpha * x)}


def plain_relu(x, alpha):
    return {"y": np.where(x > 0, x, 0 * x)}


variants = {
    "This is the gradient of a plain ReLU. Below zero, a leaky one has slope α.": plain_relu
}

right = {
    "dx": [
        "dy * np.where(x > 0, 1, alpha)",
        "np.where(y > 0, dy, alpha * dy)",
        "dx[i] = dy[i] ([x[i]>0] + alpha [x[i]<=0])",
        "dx[i] = dy[i] if x[i] > 0 else alpha dy[i]",
    ]
}

wrong = {
    "dx": {
        "The two slopes are swapped: the slope is 1 above zero and α below.": (
            "dy * np.where(x > 0, alpha, 1)"
        ),
        "Above zero the slope is 1, not 1 + α: the leak belongs only to the negative side.": (
            "dy * ((x > 0) + alpha)"
        ),
        "You multiplied by the output. The message needs the slope, 1 or α.": "dy * y",
        "This is the local slope. Multiply it by the upstream.": "np.where(x > 0, 1, alpha)",
        "You took the sign of the upstream. What counts is the sign of the input.": (
            "np.where(dy > 0, dy, alpha * dy)"
        ),
    }
}
