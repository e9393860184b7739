"""Softmax regression on a batch: gradient of the mean cross-entropy."""

import numpy as np

answers = {
    "dL_dW": "gradient with respect to the weights",
    "dL_db": "gradient with respect to the biases",
}
sizes = {"N": ("X", 0), "D": ("X", 1), "K": ("W", 1)}


def sample(rng):
    """Classes are integers, so constants; sizes are pairwise distinct."""
    N, D, K = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    return {
        "X": rng.standard_normal((N, D)),
        "t": rng.integers(0, K, size=N),
        "W": rng.standard_normal((D, K)),
        "b": rng.standard_normal(K),
    }


def probabilities(X, W, b):
    e = np.exp(X @ W + b)
    return e / e.sum(axis=1, keepdims=True)


def let(X, t, W, b):
    return {"P": probabilities(X, W, b), "Y": np.eye(len(b))[t]}


def forward(X, t, W, b):
    Y = np.eye(b.shape[0])[t]
    return {"L": -(Y * np.log(probabilities(X, W, b))).sum() / X.shape[0]}


def independent_sigmoids(X, t, W, b):
    Y = np.eye(b.shape[0])[t]
    p = 1 / (1 + np.exp(-(X @ W + b)))
    return {"L": -(Y * np.log(p) + (1 - Y) * np.log(1 - p)).sum() / X.shape[0]}


variants = {
    "This is the gradient with a separate sigmoid for each class. A softmax normalises over "
    "the classes.": (independent_sigmoids),
}

right = {
    "dL_dW": [
        "X.T @ (P - Y) / N",
        "dL_dW[i,k] = mean_n X[n,i] (P[n,k] - [t[n]=k])",
        r"dL_dW = \frac{1}{N} X^\top (P - Y)",
        "X.T @ (P - np.eye(K)[t]) / N",
    ],
    "dL_db": [
        "(P - Y).mean(axis=0)",
        "dL_db[k] = mean_n (P[n,k] - Y[n,k])",
        r"dL_db = \frac{1}{N} (P - Y)^\top \mathbf{1}",
    ],
}

wrong = {
    "dL_dW": {
        "The average over the examples is missing: divide by N.": "X.T @ (P - Y)",
        "The sign is flipped: this is the gradient of the mean log-likelihood.": (
            "X.T @ (Y - P) / N"
        ),
        "This is the transpose: like W itself, the gradient has one row for each input feature.": (
            "(P - Y).T @ X / N"
        ),
        "You used only the diagonal of the Jacobian of the softmax. Each logit affects all the "
        "probabilities.": "X.T @ (-Y * (1 - P)) / N",
        "You divided by N K. The loss is a mean over the examples only.": (
            "X.T @ (P - Y) / (N * K)"
        ),
    },
    "dL_db": {
        "The average over the examples is missing: you took the sum.": "(P - Y).sum(axis=0)",
        "All examples share the biases: sum over them.": "(P - Y) / N",
        "The targets are missing: take the mean of prediction minus target.": "P.mean(axis=0)",
        "You averaged over the classes; each class has a bias of its own.": "(P - Y).mean(axis=1)",
    },
}
