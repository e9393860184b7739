"""Log marginal likelihood of a Gaussian process: gradient with respect to the covariance."""

import numpy as np

answers = {"dL_dK": "gradient with respect to the covariance"}
sizes = {"N": ("y", 0)}
symmetric = ["K"]
assume = "K is symmetric and positive definite"
hints = ["d(K^-1) = -K^-1 dK K^-1, and d log|K| = tr(K^-1 dK)."]


def sample(rng):
    N = rng.integers(3, 8)
    A = rng.standard_normal((N, N))
    return {"K": A @ A.T / N + 0.5 * np.eye(N), "y": rng.standard_normal(N)}


def let(K, y):
    return {"a": np.linalg.solve(K, y)}


def forward(K, y):
    _, log_det = np.linalg.slogdet(K)
    fit = (y * np.linalg.solve(K, y)).sum()
    return {"L": -fit / 2 - log_det / 2 - y.shape[0] / 2 * np.log(2 * np.pi)}


def fit_only(K, y):
    return {"L": -(y * np.linalg.solve(K, y)).sum() / 2}


variants = {"This is the gradient of the fit alone. The determinant is missing.": fit_only}

terms = {
    "dL_dK": {
        "the fit's term": lambda a: np.outer(a, a) / 2,
        "the determinant's term": lambda K: -np.linalg.inv(K) / 2,
    }
}

right = {
    "dL_dK": [
        "(np.outer(a, a) - np.linalg.inv(K)) / 2",
        "dL_dK[i,j] = (a[i] a[j] - inv(K)[i,j]) / 2",
        r"dL_dK = \frac{1}{2} (a a^\top - K^{-1})",
        r"\frac{1}{2} K^{-1} (y y^\top - K) K^{-1}",
    ]
}

wrong = {
    "dL_dK": {
        "The sign is flipped: this is the gradient of -L.": (
            "(np.linalg.inv(K) - np.outer(a, a)) / 2"
        ),
        "Both terms have a factor of 1/2, which does not cancel.": (
            "np.outer(a, a) - np.linalg.inv(K)"
        ),
        "The derivative of the inverse has its own minus sign, which cancels the one in front.": (
            "-(np.outer(a, a) + np.linalg.inv(K)) / 2"
        ),
        "The inverses around the targets are missing: the outer product is that of a = K^-1 y, "
        "not of y.": ("(np.outer(y, y) - np.linalg.inv(K)) / 2"),
        "The derivative of log|K| is the inverse of K, not K.": "(np.outer(a, a) - K) / 2",
    }
}
