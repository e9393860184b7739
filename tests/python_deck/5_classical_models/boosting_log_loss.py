"""Gradient boosting with log loss: derivative with respect to the log-odds."""

import numpy as np

answers = {"dL_dF": "gradient with respect to the predictions"}
sizes = {"N": ("F", 0)}
assume = "every y_n is 0 or 1"


def sample(rng):
    """Log-odds, and labels (integers: constants) of both classes."""
    N = rng.integers(3, 9)
    y = rng.permutation([0, 1, *rng.integers(0, 2, size=N - 2)])
    return {"y": y, "F": 1.5 * rng.standard_normal(N)}


def let(y, F):
    return {"p": 1 / (1 + np.exp(-F))}


def forward(y, F):
    p = 1 / (1 + np.exp(-F))
    return {"L": -(y * np.log(p) + (1 - y) * np.log(1 - p)).sum()}


right = {
    "dL_dF": [
        "p - y",
        "1 / (1 + np.exp(-F)) - y",
        "dL_dF[n] = p[n] - y[n]",
        r"dL_dF = \sigma(F) - y",
    ]
}

wrong = {
    "dL_dF": {
        "This is the pseudo-residual, the negative of the gradient that is asked for.": ("y - p"),
        "This is the derivative with respect to p. The slope p (1 - p) of the sigmoid is "
        "missing.": ("(p - y) / (p * (1 - p))"),
        "The factor p (1 - p) does not belong here: it cancels with the slopes of the "
        "logarithms.": ("(p - y) * p * (1 - p)"),
        "You subtracted the label from the log-odds. Subtract it from the probability.": "F - y",
        "The loss is a sum, so nothing is divided by N.": "(p - y) / N",
    }
}
