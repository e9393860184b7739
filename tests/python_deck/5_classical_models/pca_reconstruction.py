"""Reconstruction error of a linear autoencoder with tied weights, for any weights."""

import numpy as np

answers = {"dL_dW": "gradient with respect to the weights"}
sizes = {"N": ("X", 0), "D": ("X", 1), "K": ("W", 1)}


def sample(rng):
    """Fewer directions than features; no orthonormal columns, which would hide a term."""
    K, D, N = np.sort(rng.choice([2, 3, 4, 5, 6, 7], size=3, replace=False))
    X = rng.standard_normal((N, D))
    return {"X": X - X.mean(axis=0), "W": 0.7 * rng.standard_normal((D, K))}


def residuals(X, W):
    return X - X @ W @ W.T


def let(X, W):
    return {"R": residuals(X, W)}


def forward(X, W):
    return {"L": (residuals(X, W) ** 2).sum()}


def captured(X, W):
    return {"L": -((X @ W) ** 2).sum()}


variants = {
    "This is the gradient of minus the sum of squares of the codes. That equals the error, up "
    "to a constant, if the columns are orthonormal, but not in general.": captured,
}

terms = {
    "dL_dW": {
        "the encoder's term": lambda X, R, W: -2 * X.T @ R @ W,
        "the decoder's term": lambda X, R, W: -2 * R.T @ X @ W,
    }
}

right = {
    "dL_dW": [
        "-2 * (X.T @ R + R.T @ X) @ W",
        "A = X.T @ X\ndL_dW = -4 * A @ W + 2 * A @ W @ W.T @ W + 2 * W @ W.T @ A @ W",
        "dL_dW[i,k] = -2 sum(n,j) (X[n,i] R[n,j] + R[n,i] X[n,j]) W[j,k]",
        r"dL_dW = -2 (X^\top R + R^\top X) W",
    ]
}

wrong = {
    "dL_dW": {
        "You differentiated only the decoder. The encoder uses the same weights, and its term "
        "vanishes for orthonormal columns, but not in general.": ("-2 * R.T @ X @ W"),
        "You differentiated only the encoder. The decoder uses the same weights.": (
            "-2 * X.T @ R @ W"
        ),
        "The two terms are not equal: X^T R is the transpose of R^T X.": "-4 * X.T @ R @ W",
        "The sign is flipped: the residual contains the reconstruction with a minus sign.": (
            "2 * (X.T @ R + R.T @ X) @ W"
        ),
        "The 2 from the square is missing.": "-(X.T @ R + R.T @ X) @ W",
    }
}
