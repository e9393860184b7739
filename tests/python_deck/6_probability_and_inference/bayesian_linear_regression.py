"""Bayesian linear regression: covariance and mean of the weights' posterior."""

import numpy as np

answers = {"S": "posterior covariance", "m": "posterior mean"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"alpha": "α", "beta": "β"}
hints = ["The log posterior is quadratic in w. Collect its quadratic and linear parts."]


def sample(rng):
    """Clearly more examples than features, and precisions on either side of 1.

    Targets are whole numbers, so constants: the covariance does not depend on them.
    """
    D = rng.integers(2, 5)
    N = D + rng.integers(2, 6)
    return {
        "X": rng.standard_normal((N, D)),
        "y": rng.integers(-9, 10, size=N),
        "alpha": rng.uniform(0.3, 0.8),
        "beta": rng.uniform(1.3, 3),
    }


def forward(X, y, alpha, beta):
    """Both results are outputs, so that the answer to the second part may use the covariance."""
    S = np.linalg.inv(alpha * np.eye(X.shape[1]) + beta * X.T @ X)
    return {"S": S, "m": beta * S @ X.T @ y}


right = {
    "S": [
        "np.linalg.inv(alpha * np.eye(D) + beta * X.T @ X)",
        r"S = (\alpha I + \beta X^\top X)^{-1}",
        "(np.eye(D) - X.T @ np.linalg.inv(X @ X.T + alpha / beta * np.eye(N)) @ X) / alpha",
    ],
    "m": [
        "np.linalg.solve(alpha / beta * np.eye(D) + X.T @ X, X.T @ y)",
        r"m = \beta (\alpha I + \beta X^\top X)^{-1} X^\top y",
        "beta * S @ X.T @ y",
        "m[i] = beta sum(j,n) S[i,j] X[n,j] y[n]",
    ],
}

wrong = {
    "S": {
        "This is the precision. The covariance is its inverse.": (
            "alpha * np.eye(D) + beta * X.T @ X"
        ),
        "The prior is missing: α I belongs to the precision.": "np.linalg.inv(beta * X.T @ X)",
        "α is a precision. You used it as a variance.": (
            "np.linalg.inv(np.eye(D) / alpha + beta * X.T @ X)"
        ),
        "β is a precision. You used it as a variance.": (
            "np.linalg.inv(alpha * np.eye(D) + X.T @ X / beta)"
        ),
        "You swapped α and β.": "np.linalg.inv(beta * np.eye(D) + alpha * X.T @ X)",
    },
    "m": {
        "The noise precision β is missing in front: m = β S X^T y.": (
            "np.linalg.solve(alpha * np.eye(D) + beta * X.T @ X, X.T @ y)"
        ),
        "This is least squares. The prior pulls the mean towards zero.": (
            "np.linalg.solve(X.T @ X, X.T @ y)"
        ),
        "The ridge penalty is α / β, not α.": (
            "np.linalg.solve(alpha * np.eye(D) + X.T @ X, X.T @ y)"
        ),
        "The posterior covariance in front is missing.": "beta * X.T @ y",
    },
}
