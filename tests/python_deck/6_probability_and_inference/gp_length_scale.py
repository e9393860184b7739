"""Log marginal likelihood of a Gaussian process: gradient with respect to the length scale."""

import numpy as np

answers = {"dL_dell": "gradient with respect to the length scale"}
sizes = {"N": ("x", 0)}
symbols = {"ell": "ℓ"}
assume = "ℓ > 0 and v > 0"
hints = ["The chain rule runs through every element of K. Which of them depend on ℓ?"]


def sample(rng):
    """Inputs about one length scale apart, and noise that keeps K well conditioned."""
    N = rng.integers(3, 8)
    return {
        "x": rng.standard_normal(N),
        "y": rng.standard_normal(N),
        "ell": np.array(rng.uniform(0.6, 1.4)),
        "v": rng.uniform(0.3, 0.8),
    }


def squared_distances(x):
    return (x[:, None] - x) ** 2


def covariance(x, ell, v):
    return np.exp(-squared_distances(x) / (2 * ell**2)) + v * np.eye(x.shape[0])


def let(x, y, ell, v):
    K = covariance(x, ell, v)
    return {"K": K, "Q": squared_distances(x), "a": np.linalg.solve(K, y)}


def forward(x, y, ell, v):
    K = covariance(x, ell, v)
    _, log_det = np.linalg.slogdet(K)
    fit = (y * np.linalg.solve(K, y)).sum()
    return {"L": -fit / 2 - log_det / 2 - y.shape[0] / 2 * np.log(2 * np.pi)}


def fit_only(x, y, ell, v):
    return {"L": -(y * np.linalg.solve(covariance(x, ell, v), y)).sum() / 2}


variants = {"This is the gradient of the fit alone. The determinant is missing.": fit_only}

terms = {
    "dL_dell": {
        "the fit's term": lambda K, Q, a, ell: a @ (K * Q) @ a / ell**3 / 2,
        "the determinant's term": lambda K, Q, ell: (
            -np.trace(np.linalg.inv(K) @ (K * Q)) / ell**3 / 2
        ),
    }
}

right = {
    "dL_dell": [
        "((np.outer(a, a) - np.linalg.inv(K)) * K * Q).sum() / (2 * ell**3)",
        "dL_dell = 1/2 sum(i,j) (a[i] a[j] - inv(K)[i,j]) K[i,j] Q[i,j] / ell^3",
        r"dL_dell = \frac{1}{2 ell^3} (a^\top (K \odot Q) a - tr(K^{-1} (K \odot Q)))",
    ]
}

wrong = {
    "dL_dell": {
        "The sign is flipped: this is the gradient of -L.": (
            "-((np.outer(a, a) - np.linalg.inv(K)) * K * Q).sum() / (2 * ell**3)"
        ),
        "The factor 1/2 of the log-likelihood is missing.": (
            "((np.outer(a, a) - np.linalg.inv(K)) * K * Q).sum() / ell**3"
        ),
        "The derivative of the exponent is wrong: that of 1/(2 ℓ²) is -1/ℓ³.": (
            "((np.outer(a, a) - np.linalg.inv(K)) * K * Q).sum() / (2 * ell**2)"
        ),
        "The kernel is missing: the derivative of an exponential contains the exponential"
        " itself.": ("((np.outer(a, a) - np.linalg.inv(K)) * Q).sum() / (2 * ell**3)"),
        "In the term from the determinant, you used K itself instead of its inverse.": (
            "((np.outer(a, a) - K) * K * Q).sum() / (2 * ell**3)"
        ),
    }
}
