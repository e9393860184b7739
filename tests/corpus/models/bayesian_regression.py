"""The posterior mean of linear weights: prior precision a, noise precision b."""

import numpy as np

answers = ["m"]
symbols = {"a": "α", "b": "β"}


def sample(rng):
    N, d = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "X": rng.standard_normal((N, d)),
        "t": rng.standard_normal(N),
        "a": float(rng.uniform(0.3, 2.0)),
        "b": float(rng.uniform(0.5, 3.0)),
    }


def reference(X, t, a, b):
    return {"m": b * np.linalg.solve(a * np.eye(X.shape[1]) + b * X.T @ X, X.T @ t)}


wrong = {"m": {"this is least squares, the prior is missing": "np.linalg.pinv(X) @ t"}}
right = {
    "m": [
        "b * inv(a * np.eye(X.shape[1]) + b * X.T @ X) @ X.T @ t",
        "β (α I + β X^T X)^{-1} X^T t",
        "np.linalg.solve(X.T @ X + a / b * np.eye(X.shape[1]), X.T @ t)",
    ]
}
remarks = {"m": {"orientation": ["(β (α I + β X^T X)^{-1} X^T t)^T"]}}
mistakes = {
    "m": {
        "known-mistake": ["np.linalg.lstsq(X, t)[0]"],
        "sign": ["-β (α I + β X^T X)^{-1} X^T t"],
        "one-edit": ["β (α I - β X^T X)^{-1} X^T t", "α (α I + β X^T X)^{-1} X^T t"],
        "unexplained": ["X^T t", "(α I + β X^T X)^{-1} X^T t"],
    }
}
