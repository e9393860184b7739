"""A linear support vector machine in the primal: subgradient of hinge loss plus penalty."""

import numpy as np

answers = {"dL_dw": "subgradient with respect to the weights"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"lam": "λ"}
assume = "every y_n is -1 or +1"


def sample(rng):
    """Both labels on the wrong side, and a margin close to 1 on either side: no mistake hides."""
    N, D = rng.choice([4, 5, 6, 7, 8], size=2, replace=False)
    while True:
        X = rng.standard_normal((N, D))
        y = 2 * rng.integers(0, 2, size=N) - 1
        w = rng.standard_normal(D)
        m = y * (X @ w)
        near = np.abs(m - 1) < 0.5
        if set(y[m < 0]) == {-1, 1} and (near & (m > 1)).any() and (near & (m < 1)).any():
            return {"X": X, "y": y, "w": w, "lam": rng.uniform(0.2, 0.9)}


def let(X, y, w, lam):
    return {"m": y * (X @ w)}


def forward(X, y, w, lam):
    hinge = np.maximum(0, 1 - y * (X @ w))
    return {"L": hinge.mean() + lam / 2 * (w**2).sum()}


def squared_hinge(X, y, w, lam):
    hinge = np.maximum(0, 1 - y * (X @ w))
    return {"L": (hinge**2).mean() + lam / 2 * (w**2).sum()}


def perceptron(X, y, w, lam):
    return {"L": np.maximum(0, -y * (X @ w)).mean() + lam / 2 * (w**2).sum()}


variants = {
    "This is the gradient with the squared hinge loss.": squared_hinge,
    "This is the gradient if the kink is at margin 0, as for the perceptron. On this card, it "
    "is at 1.": perceptron,
}

terms = {
    "dL_dw": {
        "the penalty's term": lambda lam, w: lam * w,
        "the hinge's term": lambda X, y, m: -X.T @ (y * (m < 1)) / len(y),
    }
}

right = {
    "dL_dw": [
        "lam * w - X.T @ (y * (m < 1)) / N",
        "lam * w - X.T @ (y * (m <= 1)) / N",
        "dL_dw[i] = lam w[i] - mean_n [m[n]<1] y[n] X[n,i]",
        r"dL_dw = \lambda w - \frac{1}{N} X^\top ([m < 1] \odot y)",
    ]
}

wrong = {
    "dL_dw": {
        "You let every example pull. Those with a margin above 1 have no hinge loss.": (
            "lam * w - X.T @ y / N"
        ),
        "You let the examples with a margin above 1 pull. Those with a margin below 1 should.": (
            "lam * w - X.T @ (y * (m > 1)) / N"
        ),
        "The sign of the hinge term is flipped: a larger margin makes the loss smaller.": (
            "lam * w + X.T @ (y * (m < 1)) / N"
        ),
        "The labels are missing: a negative example pulls the other way.": (
            "lam * w - X.T @ (m < 1) / N"
        ),
        "The penalty has a 1/2, which cancels the 2 from the square.": (
            "2 * lam * w - X.T @ (y * (m < 1)) / N"
        ),
        "The hinge loss is averaged over the examples: divide by N.": (
            "lam * w - X.T @ (y * (m < 1))"
        ),
    }
}
