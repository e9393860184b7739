"""A vector divided by its Euclidean length."""

import numpy as np

answers = {"dy_dx": "local derivative", "dx": "backward message"}
sizes = {"D": ("x", 0)}
assume = "x is not 0"


def sample(rng):
    """A vector whose length is not near 1."""
    x = rng.standard_normal(rng.integers(3, 8))
    return {"x": x / length(x) * rng.choice([0.5, 2.5]) * rng.uniform(0.8, 1.2)}


def length(x):
    return np.sqrt((x**2).sum())


def let(x):
    return {"r": length(x)}


def forward(x):
    return {"y": x / length(x)}


def sum_of_magnitudes(x):
    return {"y": x / np.abs(x).sum()}


variants = {
    "This is the gradient of x divided by the sum of its absolute values.": sum_of_magnitudes
}

terms = {
    "dy_dx": {
        "the direct term": lambda x, r: np.eye(len(x)) / r,
        "the length's term": lambda y, r: -np.outer(y, y) / r,
    },
    "dx": {
        "the direct term": lambda dy, r: dy / r,
        "the length's term": lambda y, dy, r: -y * (y @ dy) / r,
    },
}

right = {
    "dy_dx": [
        "(np.eye(D) - np.outer(y, y)) / r",
        "dy_dx[i,j] = 1/r ([i=j] - y[i] y[j])",
        r"\frac{1}{r} (I - y y^\top)",
        r"\frac{1}{\|x\|} I - \frac{1}{\|x\|^3} x x^\top",
    ],
    "dx": [
        "(dy - y * (y @ dy)) / r",
        "dx[j] = 1/r (dy[j] - y[j] sum_i y[i] dy[i])",
        r"\frac{1}{r} (I - y y^\top) dy",
    ],
}

wrong = {
    "dy_dx": {
        "The length was held fixed. It depends on every input.": "np.eye(D) / r",
        "The length appears in the denominator: its term has a minus sign.": (
            "(np.eye(D) + np.outer(y, y)) / r"
        ),
        "The factor 1/r is missing: the same step turns a long vector less than a short one.": (
            "np.eye(D) - np.outer(y, y)"
        ),
        "With x instead of y, the outer product must be divided by r² as well.": (
            "(np.eye(D) - np.outer(x, x)) / r"
        ),
        "You used only the diagonal. Each input affects every output through the length.": (
            "np.diag(1 - y * y) / r"
        ),
    },
    "dx": {
        "The length was held fixed. It depends on every input.": "dy / r",
        "You used only the diagonal of the Jacobian. The other outputs send messages as well.": (
            "dy * (1 - y * y) / r"
        ),
        "The factor 1/r is missing.": "dy - y * (y @ dy)",
        "Subtract the component of the upstream along y, not its mean.": ("(dy - np.mean(dy)) / r"),
        "With x instead of y the second term must be divided by r² as well.": (
            "(dy - x * (x @ dy)) / r"
        ),
    },
}
