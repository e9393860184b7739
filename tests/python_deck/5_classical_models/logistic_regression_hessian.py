"""The Hessian of logistic regression, as the local derivative of its gradient."""

import numpy as np

answers = {"dg_dw": "Hessian"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"dg_dw": "H"}
assume = "every y_n is 0 or 1"


def sample(rng):
    N, D = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
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
    """The gradient of the mean negative log-likelihood."""
    return {"g": X.T @ (probabilities(X, w) - y) / X.shape[0]}


right = {
    "dg_dw": [
        "X.T @ np.diag(p * (1 - p)) @ X / N",
        "(X.T * (p * (1 - p))) @ X / N",
        "dg_dw[i,j] = mean_n p[n] (1 - p[n]) X[n,i] X[n,j]",
        r"H = \frac{1}{N} X^\top diag(p \odot (1 - p)) X",
    ]
}

wrong = {
    "dg_dw": {
        "The slope of the sigmoid is missing: this is the Hessian of half the mean "
        "squared error.": ("X.T @ X / N"),
        "The average over the examples is missing: divide by N.": (
            "X.T @ np.diag(p * (1 - p)) @ X"
        ),
        "The slope of the sigmoid is p (1 - p). The factor 1 - p is missing.": (
            "X.T @ np.diag(p) @ X / N"
        ),
        "This is the Hessian of the mean log-likelihood. The loss is its negative, which is "
        "convex.": ("-X.T @ np.diag(p * (1 - p)) @ X / N"),
        "You used squared residuals, which give the mean outer product of the gradients. The "
        "second derivative does not depend on the labels.": "X.T @ np.diag((p - y) ** 2) @ X / N",
    }
}
