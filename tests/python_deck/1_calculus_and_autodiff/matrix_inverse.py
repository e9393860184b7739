"""The inverse of a matrix: its local derivative and its backward message."""

import numpy as np

answers = {"dY_dX": "local derivative", "dX": "backward message"}
sizes = {"n": ("X", 0)}
assume = "X is invertible"


def sample(rng):
    """A matrix whose inverse is of its own size: no entry explodes."""
    n = rng.integers(2, 6)
    left, _ = np.linalg.qr(rng.standard_normal((n, n)))
    right, _ = np.linalg.qr(rng.standard_normal((n, n)))
    return {"X": left @ np.diag(rng.uniform(0.5, 2, size=n)) @ right}


def forward(X):
    return {"Y": np.linalg.inv(X)}


def transposed_inverse(X):
    return {"Y": np.linalg.inv(X).T}


variants = {"This is the gradient of the transposed inverse.": transposed_inverse}

right = {
    "dY_dX": [
        "-Y[:, None, :, None] * Y.T[None, :, None, :]",
        "dY_dX[i,j,k,l] = -Y[i,k] Y[l,j]",
    ],
    "dX": [
        "-Y.T @ dY @ Y.T",
        "dX[k,l] = -sum(i,j) Y[i,k] dY[i,j] Y[l,j]",
        r"-Y^\top dY Y^\top",
        r"-X^{-\top} dY X^{-\top}",
    ],
}

wrong = {
    "dY_dX": {
        "The minus sign is missing: dY = -Y (dX) Y. Compare 1/x, whose slope is -1/x².": (
            "dY_dX[i,j,k,l] = Y[i,k] Y[l,j]"
        ),
        "The order of the indices is wrong: dY = -Y (dX) Y links i with k, and l with j.": (
            "-Y[:, None, None, :] * Y.T[None, :, :, None]"
        ),
        "This is the derivative of an elementwise reciprocal. Each entry of the inverse depends "
        "on all entries of X.": ("dY_dX[i,j,k,l] = -[i=k] [j=l] Y[i,j]^2"),
        "One factor Y is missing: the inverse appears on both sides of dX.": (
            "-Y[:, None, :, None] * np.eye(n)[None, :, None, :]"
        ),
        "This contains the input. The inverse appears on both sides.": (
            "-X[:, None, :, None] * X.T[None, :, None, :]"
        ),
    },
    "dX": {
        "The minus sign is missing: dY = -Y (dX) Y. Compare 1/x, whose slope is -1/x².": (
            "Y.T @ dY @ Y.T"
        ),
        "On the way back both factors are transposed.": "-Y @ dY @ Y",
        "Matrices do not commute: one Y^T belongs on each side of the upstream.": (
            "-Y.T @ Y.T @ dY"
        ),
        "This is the elementwise derivative of 1/x. The inverse of a matrix is not elementwise.": (
            "-dY / X**2"
        ),
        "The upstream was transposed too. Only the factors Y are.": "-Y.T @ dY.T @ Y.T",
        "This contains the input. The inverse appears on both sides.": ("-X.T @ dY @ X.T"),
    },
}
