"""Mean squared error of a linear model, with its prediction as an intermediate."""

import numpy as np

sizes = {"N": ("X", 0)}
symbols = {"y_hat": "ŷ", "lam": "λ"}
also = {"dL_dw": {"with half the square": "X.T @ (ŷ - y) / N + λ * w"}}
variants = {
    "this is the gradient without the penalty": lambda X, w, y: {"L": np.mean((X @ w - y) ** 2)}
}


def sample(rng):
    n, d = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "X": rng.standard_normal((n, d)),
        "w": rng.standard_normal(d),
        "y": rng.standard_normal(n),
        "lam": float(rng.uniform(0.2, 0.8)),
    }


def let(X, w):
    return {"y_hat": X @ w}


def forward(X, w, y, lam):
    return {"L": np.mean((X @ w - y) ** 2) + lam * np.sum(w**2)}


answers = ["dL_dw", "dL_dy"]
