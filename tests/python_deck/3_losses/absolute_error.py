"""The mean absolute error of N predictions."""

import numpy as np

answers = {"dL_dy_hat": "gradient with respect to the predictions"}
sizes = {"N": ("y", 0)}
symbols = {"y_hat": "ŷ"}
assume = "no prediction equals its target"


def sample(rng):
    """Residuals of either sign, none near zero; two have not the sign of their prediction."""
    N = rng.integers(3, 9)
    side, y = rng.choice([-1, 1], size=N), rng.standard_normal(N)
    side[:2] = 1, -1
    y[:2] = -3 * side[:2]
    order = rng.permutation(N)
    return {"y_hat": (y + side * rng.uniform(0.2, 2, size=N))[order], "y": y[order]}


def forward(y_hat, y):
    return {"L": np.abs(y_hat - y).mean()}


def root_mean_square(y_hat, y):
    return {"L": np.sqrt(((y_hat - y) ** 2).mean())}


variants = {"This is the gradient of the root mean squared error.": root_mean_square}

right = {
    "dL_dy_hat": [
        "np.sign(y_hat - y) / N",
        "np.where(y_hat > y, 1, -1) / N",
        "dL_dy_hat[n] = ([y_hat[n] > y[n]] - [y_hat[n] < y[n]]) / N",
        r"\frac{1}{N} sign(\hat{y} - y)",
    ]
}

wrong = {
    "dL_dy_hat": {
        "The slope of |r| is the sign of r. You gave r itself, which belongs to the squared "
        "error.": ("(y_hat - y) / N"),
        "The slope of |r| is 1 or -1. You gave |r|, the loss itself.": ("np.abs(y_hat - y) / N"),
        "The sign is flipped: if a prediction is above its target, raising it raises the loss.": (
            "np.sign(y - y_hat) / N"
        ),
        "The loss is a mean over the examples: divide by N.": "np.sign(y_hat - y)",
        "The negative branch is missing: below the target, the slope of the absolute value is "
        "-1.": ("(y_hat > y) / N"),
    }
}
