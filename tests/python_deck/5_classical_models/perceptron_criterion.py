"""The perceptron criterion: what examples on the wrong side cost, and where they pull."""

import numpy as np

answers = {"dL_dw": "gradient with respect to the weights"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
assume = "every y_n is -1 or +1"
hints = ["The loss of one example depends on its margin only. What is the slope on either side?"]


def sample(rng):
    """Both labels on the wrong side, and a margin between 0 and 1: no mistake hides."""
    N, D = rng.choice([4, 5, 6, 7, 8], size=2, replace=False)
    while True:
        X = rng.standard_normal((N, D))
        y = 2 * rng.integers(0, 2, size=N) - 1
        w = rng.standard_normal(D)
        m = y * (X @ w)
        if set(y[m < 0]) == {-1, 1} and ((m > 0) & (m < 1)).any():
            return {"X": X, "y": y, "w": w}


def forward(X, y, w):
    return {"L": np.maximum(0, -y * (X @ w)).sum()}


def hinge(X, y, w):
    return {"L": np.maximum(0, 1 - y * (X @ w)).sum()}


variants = {"This is the gradient of the hinge loss, which requires a margin of 1.": hinge}

right = {
    "dL_dw": [
        "-X.T @ (y * (y * (X @ w) < 0))",
        "dL_dw[i] = -sum_n [y[n] sum_j X[n,j] w[j] < 0] y[n] X[n,i]",
        r"dL_dw = -X^\top (y \odot [y \odot (X w) < 0])",
    ]
}

wrong = {
    "dL_dw": {
        "You let every example pull. Those that are classified correctly cost nothing.": "-X.T @ y",
        "The sign is flipped. This is the step of the perceptron rule, which goes against the "
        "gradient.": "X.T @ (y * (y * (X @ w) < 0))",
        "The labels are missing: a negative example pulls the other way.": (
            "-X.T @ (y * (X @ w) < 0)"
        ),
        "You let the correctly classified examples pull. Flip the condition.": (
            "-X.T @ (y * (y * (X @ w) > 0))"
        ),
        "The criterion is a sum, so nothing is divided by N.": "-X.T @ (y * (y * (X @ w) < 0)) / N",
    }
}
