"""A ReLU whose slope below zero is learnt, one for each feature."""

import numpy as np

answers = {"dx": "backward message", "da": "parameter message of the slopes"}
sizes = {"N": ("x", 0), "D": ("x", 1)}
hints = ["Hold x fixed: as a function of one slope, what is the layer?"]


def sample(rng):
    """Inputs of both signs in each column, and slopes of both signs, far from 0 and 1: where one is
    negative, x and y differ in sign."""
    N, D = rng.choice([3, 4, 5, 6], size=2, replace=False)
    x = rng.standard_normal((N, D))
    x[0], x[1] = np.abs(x[0]), -np.abs(x[1])
    return {"x": x, "a": rng.choice([-1, 1], D) * rng.uniform(0.1, 0.5, D)}


def forward(x, a):
    """y[n, i] is x[n, i] where that is positive, else a[i] x[n, i]."""
    return {"y": np.maximum(x, 0) + a * np.minimum(x, 0)}


right = {
    "dx": [
        "dy * np.where(x > 0, 1, a)",
        "dx[n,i] = dy[n,i] ([x[n,i]>0] + a[i] [x[n,i]<0])",
    ],
    "da": [
        "(dy * np.minimum(x, 0)).sum(axis=0)",
        "(dy * x * (x < 0)).sum(axis=0)",
        "da[i] = sum_n dy[n,i] min(x[n,i], 0)",
        "da[i] = sum_n dy[n,i] x[n,i] [x[n,i]<0]",
    ],
}

wrong = {
    "dx": {
        "You let no message pass below zero, as a plain ReLU would. The slope there is a_i.": (
            "dy * (x > 0)"
        ),
        "The two slopes are swapped: the slope is 1 above zero and a_i below.": (
            "dy * np.where(x > 0, a, 1)"
        ),
        "You multiplied by the output. The message needs the slope, which is 1 or a_i.": "dy * y",
    },
    "da": {
        "Positive inputs do not use the slope. Only negative ones send it a message.": (
            "(dy * x).sum(axis=0)"
        ),
        "All examples share the slope: sum over them.": "dy * np.minimum(x, 0)",
        "The layer multiplies the slope by the input. You have left out the input.": (
            "(dy * (x < 0)).sum(axis=0)"
        ),
        "You summed over the features; each feature has a slope of its own.": (
            "(dy * np.minimum(x, 0)).sum(axis=1)"
        ),
        "The layer is linear in a_i, so a_i itself drops out of the derivative.": (
            "a * (dy * np.minimum(x, 0)).sum(axis=0)"
        ),
    },
}
