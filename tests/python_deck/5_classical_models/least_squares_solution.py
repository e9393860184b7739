"""Least squares in closed form: nothing is differentiated, the minimiser itself is asked."""

import numpy as np

answers = {"w_hat": "the minimiser"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"w_hat": "ŵ"}
assume = "N > D, and the columns of X are linearly independent"
hints = ["At the minimum the gradient is zero. Which linear equations does that give?"]


def sample(rng):
    """Clearly more examples than features, so that X^T X is well conditioned."""
    D = rng.integers(2, 5)
    N = D + rng.integers(3, 7)
    return {"X": rng.standard_normal((N, D)), "y": rng.standard_normal(N)}


def reference(X, y):
    return {"w_hat": np.linalg.solve(X.T @ X, X.T @ y)}


right = {
    "w_hat": [
        "np.linalg.solve(X.T @ X, X.T @ y)",
        "np.linalg.inv(X.T @ X) @ X.T @ y",
        "np.linalg.pinv(X) @ y",
        r"\hat{w} = (X^\top X)^{-1} X^\top y",
    ]
}

wrong = {
    "w_hat": {
        "The inverse of X^T X is missing. It is the identity only if the columns are "
        "orthonormal.": ("X.T @ y"),
        "The 2 of the gradient appears on both sides of the equation and cancels.": (
            "2 * np.linalg.solve(X.T @ X, X.T @ y)"
        ),
        "The sign is flipped: the equations are X^T X w = X^T y, without a minus sign.": (
            "-np.linalg.solve(X.T @ X, X.T @ y)"
        ),
        "There is no factor of 1/N. Even if the loss were a mean, this factor would cancel.": (
            "np.linalg.solve(X.T @ X, X.T @ y) / N"
        ),
        "This multiplies by X^T X. Solve the equations for w instead.": "X.T @ X @ X.T @ y",
    }
}
