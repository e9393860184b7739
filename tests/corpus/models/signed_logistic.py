"""Logistic regression with labels of plus and minus one: the mean of log(1 + exp(-y x w))."""

import numpy as np

sizes = {"N": ("X", 0)}


def sample(rng):
    N, d = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "X": rng.standard_normal((N, d)),
        "w": rng.standard_normal(d),
        "y": rng.choice([-1, 1], size=N),
    }


def let(X, w, y):
    return {"s": 1 / (1 + np.exp(y * (X @ w)))}


def forward(X, w, y):
    return {"L": np.mean(np.log(1 + np.exp(-y * (X @ w))))}


answers = ["dL_dw"]
right = {
    "dL_dw": [
        "-X.T @ (y * s) / N",
        "dL_dw_j = -1/N sum_n s_n y_n X_nj",
        "-\\frac{1}{N} X^\\top (s ⊙ y)",
        "-mean((y * sigmoid(-y * (X @ w)))[:, None] * X, axis=0)",
    ]
}
remarks = {"dL_dw": {"convention": ["-dL * X.T @ (y * s) / N"]}}
mistakes = {
    "dL_dw": {
        "sign": ["X.T @ (y * s) / N", "1/N X^T (s ⊙ y)"],
        "size-factor": ["-X.T @ (y * s)", "dL_dw_j = -sum_n s_n y_n X_nj"],
        "not-summed": ["-(y * s)[:, None] * X / N"],
        "one-edit": ["-mean((y * sigmoid(y * (X @ w)))[:, None] * X, axis=0)", "-1/N X^T (s ⊙ s)"],
        "unexplained": ["-X.T @ s / N", "-X.T @ (y * (1 - s)) / N"],
    }
}
