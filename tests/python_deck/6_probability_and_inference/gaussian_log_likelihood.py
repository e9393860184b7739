"""Log-likelihood of a Gaussian: gradients with respect to its mean and its covariance."""

import numpy as np

answers = {
    "dL_dmu": "gradient with respect to the mean",
    "dL_dC": "gradient with respect to the covariance",
}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"mu": "μ"}
symmetric = ["C"]
assume = "C is symmetric and positive definite"


def sample(rng):
    """A covariance with eigenvalues away from zero."""
    N, D = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    A = rng.standard_normal((D, D))
    return {
        "X": rng.standard_normal((N, D)),
        "mu": rng.standard_normal(D),
        "C": A @ A.T / D + np.eye(D),
    }


def let(X, mu, C):
    return {"S": (X - mu).T @ (X - mu)}


def forward(X, mu, C):
    N, D = X.shape
    d = X - mu
    _, log_det = np.linalg.slogdet(C)
    squares = (d * (d @ np.linalg.inv(C).T)).sum()
    return {"L": -N / 2 * (log_det + D * np.log(2 * np.pi)) - squares / 2}


def without_determinant(X, mu, C):
    d = X - mu
    return {"L": -(d * (d @ np.linalg.inv(C).T)).sum() / 2}


variants = {
    "This is the gradient of the quadratic forms alone. The determinant depends on C too.": (
        without_determinant
    ),
}

terms = {
    "dL_dC": {
        "the determinant's term": lambda X, C: -len(X) / 2 * np.linalg.inv(C),
        "the scatter's term": lambda S, C: np.linalg.inv(C) @ S @ np.linalg.inv(C) / 2,
    }
}

right = {
    "dL_dmu": [
        "np.linalg.solve(C, (X - mu).sum(axis=0))",
        "dL_dmu[i] = sum(n,j) inv(C)[i,j] (X[n,j] - mu[j])",
        r"dL_dmu = C^{-1} (X^\top \mathbf{1} - N \mu)",
    ],
    "dL_dC": [
        "P = np.linalg.inv(C)\ndL_dC = (P @ S @ P - N * P) / 2",
        r"dL_dC = \frac{1}{2} C^{-1} S C^{-1} - \frac{N}{2} C^{-1}",
        "dL_dC[i,j] = 1/2 sum(k,l) inv(C)[i,k] S[k,l] inv(C)[l,j] - N/2 inv(C)[i,j]",
    ],
}

wrong = {
    "dL_dmu": {
        "The sign is flipped: the likelihood rises when the mean moves towards the data.": (
            "-np.linalg.solve(C, (X - mu).sum(axis=0))"
        ),
        "The inverse of the covariance is missing.": "(X - mu).sum(axis=0)",
        "The log-likelihood is a sum over the examples, not a mean.": (
            "np.linalg.solve(C, (X - mu).mean(axis=0))"
        ),
        "You multiplied by the covariance. The quadratic form contains its inverse.": (
            "C @ (X - mu).sum(axis=0)"
        ),
    },
    "dL_dC": {
        "The sign is flipped: a larger scatter calls for a larger covariance.": (
            "P = np.linalg.inv(C)\ndL_dC = (N * P - P @ S @ P) / 2"
        ),
        "Both terms have a factor of 1/2, which does not cancel.": (
            "P = np.linalg.inv(C)\ndL_dC = P @ S @ P - N * P"
        ),
        "This is the derivative with respect to the precision, the inverse of C.": (
            "N / 2 * C - S / 2"
        ),
        "The derivative of the inverse has its own minus sign, which cancels the one in front.": (
            "P = np.linalg.inv(C)\ndL_dC = (-P @ S @ P - N * P) / 2"
        ),
        "Every example contributes a determinant: the factor N is missing from the second term.": (
            "P = np.linalg.inv(C)\ndL_dC = (P @ S @ P - P) / 2"
        ),
    },
}
