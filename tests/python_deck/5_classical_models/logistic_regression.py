"""Logistic regression: gradient of the mean negative log-likelihood."""

import numpy as np

answers = {"dL_dw": "gradient with respect to the weights"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
assume = "every y_n is 0 or 1"


def sample(rng):
    """Inputs, labels (integers: constants) and weights."""
    N, D = rng.choice([2, 3, 4, 5, 6, 7], size=2, replace=False)
    return {
        "X": rng.standard_normal((N, D)),
        "y": rng.integers(0, 2, size=N),
        "w": rng.standard_normal(D),
    }


def probabilities(X, w):
    return 1 / (1 + np.exp(-(X @ w)))


def let(X, y, w):
    return {"p": probabilities(X, w)}


def forward(X, y, w):
    p = probabilities(X, w)
    return {"L": -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean()}


def mean_squared_error(X, y, w):
    return {"L": ((probabilities(X, w) - y) ** 2).mean()}


variants = {
    "This is the gradient for the mean squared error of the probabilities.": mean_squared_error,
}

right = {
    "dL_dw": [
        "X.T @ (p - y) / N",
        "dL_dw[i] = mean_n X[n,i] (p[n] - y[n])",
        r"dL_dw = \frac{1}{N} X^\top (p - y)",
        r"\frac{1}{N} X^\top (\sigma(X w) - y)",
    ]
}

wrong = {
    "dL_dw": {
        "This is the gradient of the mean log-likelihood, which is to be maximised. The loss "
        "is its negative.": ("X.T @ (y - p) / N"),
        "The average over the examples is missing: divide by N.": "X.T @ (p - y)",
        "The slope p (1 - p) does not belong here: it cancels with the derivative of the "
        "logarithms.": "X.T @ ((p - y) * p * (1 - p)) / N",
        "The sigmoid is missing: this is the gradient of half the mean squared error.": (
            "X.T @ (X @ w - y) / N"
        ),
    }
}
