"""Ridge regression: the gradient of the loss, and its minimiser in closed form."""

import numpy as np

answers = {"dL_dw": "gradient", "w_hat": "the minimiser"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"lam": "λ", "w_hat": "ŵ"}
assume = "λ > 0"


def sample(rng):
    """More examples than features, so that a mistake with the penalty is no singular matrix."""
    D = rng.integers(2, 5)
    N = D + rng.integers(2, 6)
    return {
        "X": rng.standard_normal((N, D)),
        "y": rng.standard_normal(N),
        "w": rng.standard_normal(D),
        "lam": rng.uniform(0.4, 0.9),
    }


def forward(X, y, w, lam):
    return {"L": ((X @ w - y) ** 2).sum() + lam * (w**2).sum()}


def reference(X, y, lam):
    return {"w_hat": np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)}


def without_penalty(X, y, w, lam):
    return forward(X, y, w, 0)


def absolute_penalty(X, y, w, lam):
    return {"L": ((X @ w - y) ** 2).sum() + lam * abs(w).sum()}


variants = {
    "This is the gradient of the squared error alone. The penalty is missing.": without_penalty,
    "This is the gradient with the penalty of the lasso, λ times the sum of |w|.": absolute_penalty,
}

terms = {
    "dL_dw": {
        "the squared error's term": lambda X, w, y: 2 * X.T @ (X @ w - y),
        "the penalty's term": lambda lam, w: 2 * lam * w,
    }
}

right = {
    "dL_dw": [
        "2 * X.T @ (X @ w - y) + 2 * lam * w",
        "dL_dw[i] = 2 sum_n X[n,i] (sum_j X[n,j] w[j] - y[n]) + 2 lam w[i]",
        r"dL_dw = 2 X^\top (X w - y) + 2 \lambda w",
    ],
    "w_hat": [
        "np.linalg.solve(X.T @ X + lam * np.eye(D), X.T @ y)",
        "X.T @ np.linalg.inv(X @ X.T + lam * np.eye(N)) @ y",
        r"\hat{w} = (X^\top X + \lambda I)^{-1} X^\top y",
    ],
}

wrong = {
    "dL_dw": {
        "The penalty is a square too: its derivative has a factor of 2.": (
            "2 * X.T @ (X @ w - y) + lam * w"
        ),
        "The sign of the penalty is flipped: raising a positive weight raises the penalty.": (
            "2 * X.T @ (X @ w - y) - 2 * lam * w"
        ),
        "The squared error is a sum here, so nothing is divided by N.": (
            "2 * X.T @ (X @ w - y) / N + 2 * lam * w"
        ),
        "You cancelled the 2, as in the equation for the minimum. The gradient keeps it.": (
            "X.T @ (X @ w - y) + lam * w"
        ),
    },
    "w_hat": {
        "λ is missing: this is least squares without a penalty.": (
            "np.linalg.solve(X.T @ X, X.T @ y)"
        ),
        "λ is not halved: the squared error gives a factor of 2 as well, and the two cancel.": (
            "np.linalg.solve(X.T @ X + lam / 2 * np.eye(D), X.T @ y)"
        ),
        "The squared error is a sum here, so λ is not multiplied by N.": (
            "np.linalg.solve(X.T @ X + N * lam * np.eye(D), X.T @ y)"
        ),
        "The sign of λ is flipped. It must make the matrix larger, not smaller.": (
            "np.linalg.solve(X.T @ X - lam * np.eye(D), X.T @ y)"
        ),
        "You added λ to every element of X^T X. It belongs only on the diagonal.": (
            "np.linalg.solve(X.T @ X + lam, X.T @ y)"
        ),
        "The inverse is missing: solve the equations for w.": (
            "(X.T @ X + lam * np.eye(D)) @ X.T @ y"
        ),
    },
}
