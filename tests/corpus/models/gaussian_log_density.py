"""The log-density of a Gaussian at x, without its constant, toward mean and precision."""

import numpy as np


def sample(rng):
    n = int(rng.integers(2, 5))
    a = rng.standard_normal((n, n))
    return {
        "x": rng.standard_normal(n),
        "mu": rng.standard_normal(n),
        "P": a @ a.T + n * np.eye(n),
    }


def forward(x, mu, P):
    r = x - mu
    return {"l": (np.linalg.slogdet(P)[1] - r @ P @ r) / 2}


symmetric = ["P"]
symbols = {"mu": "μ", "P": "Λ"}
answers = ["dl_dmu", "dl_dP"]
terms = {
    "dl_dP": {
        "the inverse": lambda P: np.linalg.inv(P) / 2,
        "the outer product": lambda x, mu: -np.outer(x - mu, x - mu) / 2,
    }
}
right = {
    "dl_dmu": ["P @ (x - mu)", "Λ (x - μ)", "dl_dmu_i = sum_j P_ij (x_j - μ_j)"],
    "dl_dP": ["(inv(P) - np.outer(x - mu, x - mu)) / 2", "1/2 (Λ^{-1} - (x - μ) (x - μ)^T)"],
}
remarks = {"dl_dmu": {"orientation": ["(x - μ)^T Λ"], "convention": ["dl * P @ (x - mu)"]}}
mistakes = {
    "dl_dmu": {
        "sign": ["P @ (mu - x)", "Λ (μ - x)"],
        "factor": ["Λ (x - μ) / 2"],
        "not-summed": ["P * (x - mu)"],
        "one-edit": ["P @ (x + mu)"],
        "unexplained": ["x - mu", "inv(P) @ (x - mu)"],
    },
    "dl_dP": {
        "missing-term": ["inv(P) / 2", "-1/2 (x - μ) (x - μ)^T"],
        "term-factor": [
            "(inv(P) + np.outer(x - mu, x - mu)) / 2",
            "Λ^{-1} - 1/2 (x - μ) (x - μ)^T",
        ],
        "sign": ["1/2 ((x - μ) (x - μ)^T - Λ^{-1})"],
        "factor": ["Λ^{-1} - (x - μ) (x - μ)^T"],
    },
}
