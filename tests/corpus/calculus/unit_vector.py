"""A vector divided by its length: u = x / |x|."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(2, 6))}


def let(x):
    return {"r": np.linalg.norm(x)}


def forward(x):
    return {"u": x / np.sqrt(np.sum(x**2))}


answers = ["dx", "du_dx"]
terms = {
    "dx": {"du / r": lambda du, r: du / r, "the projection": lambda u, du, r: -u * (u @ du) / r}
}
right = {
    "dx": [
        "(du - u * (u @ du)) / r",
        "dx_i = 1/r (du_i - u_i sum_j u_j du_j)",
        "1/r (I - u u^T) du",
    ],
    "du_dx": [
        "(np.eye(len(x)) - np.outer(u, u)) / r",
        "du_dx[i,j] = 1/r ([i=j] - u_i u_j)",
        "\\frac{1}{r} (I - u u^\\top)",
    ],
}
mistakes = {
    "dx": {
        "missing-term": ["du / r", "-u * (u @ du) / r"],
        "term-factor": ["(du + u * (u @ du)) / r", "1/r (I + u u^T) du"],
        "jacobian": ["1/r (I - u u^T)", "(np.eye(len(x)) - np.outer(u, u)) / r"],
        "diagonal-only": ["(1 - u**2) * du / r", "dx_i = 1/r (1 - u_i^2) du_i"],
        "input-for-output": ["(du - x * (x @ du)) / r", "1/r (I - x x^T) du"],
        "upstream-ignored": ["(1 - u * sum(u)) / r"],
        "one-edit": ["dx_i = 1/r (du_i - u_i sum_j u_i du_j)"],
    },
    "du_dx": {
        "sign": ["1/r (u u^T - I)"],
        "partly": ["-np.outer(u, u) / r"],
        "input-for-output": ["1/r (I - x x^T)"],
        "one-edit": ["1/r (I + u u^T)"],
        "unexplained": ["1/r I"],
    },
}
