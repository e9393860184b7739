"""Soft thresholding at lam. Source: PyTorch softshrink in derivatives.yaml; proximal operators."""

import numpy as np

symbols = {"lam": "λ"}


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((m, n)), "lam": float(rng.uniform(0.2, 1.2))}


def forward(x, lam):
    return {"y": np.sign(x) * np.maximum(np.abs(x) - lam, 0)}
