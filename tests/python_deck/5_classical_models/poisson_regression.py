"""Poisson regression with a log link: gradient of the mean negative log-likelihood."""

import math

import numpy as np

answers = {"dL_dw": "gradient with respect to the weights"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"lam": "λ"}
hints = ["Write the loss of one example as a function of z_n = x_n^T w before you differentiate."]


def sample(rng):
    """Rates around 1, and counts (integers: constants) that are drawn apart from them."""
    N, D = rng.choice([2, 3, 4, 5, 6, 7], size=2, replace=False)
    return {
        "X": rng.standard_normal((N, D)),
        "y": rng.poisson(2.0, size=N),
        "w": 0.6 * rng.standard_normal(D),
    }


def let(X, y, w):
    return {"lam": np.exp(X @ w)}


def forward(X, y, w):
    z = X @ w
    constant = sum(math.lgamma(count + 1) for count in y)
    return {"L": ((np.exp(z) - y * z).sum() + constant) / X.shape[0]}


def squared_error(X, y, w):
    return {"L": ((np.exp(X @ w) - y) ** 2).mean()}


variants = {"This is the gradient for the mean squared error of the rates.": squared_error}

terms = {
    "dL_dw": {
        "the term of the rates": lambda X, lam: X.T @ lam / len(X),
        "the term of the counts": lambda X, y: -X.T @ y / len(X),
    }
}

right = {
    "dL_dw": [
        "X.T @ (lam - y) / N",
        "dL_dw[i] = mean_n X[n,i] (lam[n] - y[n])",
        r"dL_dw = \frac{1}{N} X^\top (\lambda - y)",
        r"\frac{1}{N} X^\top (\exp(X w) - y)",
    ]
}

wrong = {
    "dL_dw": {
        "This is the gradient of the mean log-likelihood, which is to be maximised. The loss "
        "is its negative.": ("X.T @ (y - lam) / N"),
        "The average over the examples is missing: divide by N.": "X.T @ (lam - y)",
        "This is the derivative with respect to the rate, times the input. The derivative of "
        "the rate with respect to z = x^T w, which is the rate again, is missing.": (
            "X.T @ (1 - y / lam) / N"
        ),
        "The last factor λ does not belong here: it cancels with the 1/λ from the logarithm.": (
            "X.T @ ((lam - y) * lam) / N"
        ),
        "The exponential is missing: this is the gradient of half the mean squared error.": (
            "X.T @ (X @ w - y) / N"
        ),
    }
}
