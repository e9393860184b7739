"""The log-determinant of a regularised Gram matrix."""

import numpy as np

answers = {"df_dX": "gradient with respect to the data"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"lam": "λ"}
assume = "λ > 0"


def sample(rng):
    """More examples than features, so that a forgotten λ is a mistake and no singular matrix."""
    D = rng.integers(2, 5)
    N = D + rng.integers(1, 4)
    return {"X": rng.standard_normal((N, D)), "lam": rng.uniform(0.5, 2)}


def gram(X, lam):
    return X.T @ X + lam * np.eye(X.shape[1])


def let(X, lam):
    return {"M": gram(X, lam)}


def forward(X, lam):
    return {"f": np.log(np.linalg.det(gram(X, lam)))}


def without_logarithm(X, lam):
    return {"f": np.linalg.det(gram(X, lam))}


variants = {"This is the gradient of det M, without the logarithm.": without_logarithm}

right = {
    "df_dX": [
        "2 * X @ np.linalg.inv(M)",
        "2 * np.linalg.solve(X @ X.T + lam * np.eye(N), X)",
        "df_dX[n,i] = 2 sum_j X[n,j] M^{-1}[j,i]",
        r"2 X (X^\top X + \lambda I)^{-1}",
        r"2 (X X^\top + \lambda I)^{-1} X",
    ]
}

wrong = {
    "df_dX": {
        "X appears twice in X^T X, and each occurrence gives the same term: the 2 is missing.": (
            "X @ np.linalg.inv(M)"
        ),
        "This is the transpose: the gradient has the shape of X.": "2 * np.linalg.inv(M) @ X.T",
        "λ was forgotten: invert the whole of M.": "2 * X @ np.linalg.inv(X.T @ X)",
        "You did not invert M. The gradient of log det M with respect to M is its inverse.": (
            "2 * X @ M"
        ),
        "The factor det M cancels: the derivative of the logarithm divides by it.": (
            "2 * np.linalg.det(M) * X @ np.linalg.inv(M)"
        ),
        "The sign is flipped: a larger Gram matrix has a larger determinant.": (
            "-2 * X @ np.linalg.inv(M)"
        ),
    }
}
