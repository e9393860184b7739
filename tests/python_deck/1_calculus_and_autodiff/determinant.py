"""The determinant of an invertible matrix."""

import numpy as np

answers = {"df_dX": "gradient with respect to the matrix"}
sizes = {"n": ("X", 0)}
assume = "X is invertible"


def sample(rng):
    """A matrix well away from singular ones, whose determinant is positive or negative."""
    n = rng.integers(2, 7)
    left, _ = np.linalg.qr(rng.standard_normal((n, n)))
    right, _ = np.linalg.qr(rng.standard_normal((n, n)))
    X = left @ np.diag(rng.uniform(1.2, 2.5, size=n)) @ right
    X[0] *= rng.choice([-1, 1])
    return {"X": X}


def forward(X):
    return {"f": np.linalg.det(X)}


def logarithm(X):
    return {"f": np.log(np.abs(np.linalg.det(X)))}


variants = {"This is the gradient of log |det X|.": logarithm}

COFACTORS = """
def df_dX(X):
    C = np.zeros(X.shape)
    for i, j in np.ndindex(X.shape):
        minor = np.delete(np.delete(X, i, axis=0), j, axis=1)
        C[i, j] = (-1) ** (i + j) * np.linalg.det(minor)
    return C
"""

right = {
    "df_dX": [
        "f * np.linalg.inv(X).T",
        COFACTORS,
        "df_dX[i,j] = f X^{-1}[j,i]",
        r"\det(X) X^{-\top}",
        r"f (X^\top)^{-1}",
    ]
}

wrong = {
    "df_dX": {
        "This is the adjugate, the transposed matrix of cofactors. The gradient is the "
        "matrix of cofactors itself.": "f * np.linalg.inv(X)",
        "The factor det X is missing: without it, this is the gradient of log |det X|.": (
            "np.linalg.inv(X).T"
        ),
        "The cofactors are a multiple of the transposed inverse, not of the transpose of X.": (
            "f * X.T"
        ),
        "The sign is flipped: there is no minus sign, even where det X is negative.": (
            "-f * np.linalg.inv(X).T"
        ),
        "Multiply by the determinant; do not divide by it.": "np.linalg.inv(X).T / f",
        "The entries of the inverse are not the reciprocals of the entries of X.": "f / X",
    }
}
