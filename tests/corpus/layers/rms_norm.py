"""Root-mean-square normalisation of one vector: y = x / r with r = sqrt(mean(x^2) + eps)."""

import numpy as np

sizes = {"D": ("x", 0)}


def sample(rng):
    return {
        "x": rng.standard_normal(rng.integers(3, 8)),
        "eps": float(rng.uniform(0.05, 0.5)),
    }


def let(x, eps):
    return {"r": np.sqrt(np.mean(x**2) + eps)}


def forward(x, eps):
    return {"y": x / np.sqrt(np.mean(x**2) + eps)}


variants = {
    "this is the gradient without eps": lambda x: {"y": x / np.sqrt(np.mean(x**2))},
    "this is the gradient of a division by the norm": lambda x, eps: {
        "y": x / np.sqrt(np.sum(x**2) + eps)
    },
}
terms = {
    "dx": {
        "dy / r": lambda dy, r: dy / r,
        "the projection on y": lambda dy, y, r: -y * np.mean(y * dy) / r,
    }
}
right = {
    "dx": [
        "(dy - y * mean(y * dy)) / r",
        "dx_i = 1/r (dy_i - y_i mean_j y_j dy_j)",
        "1/r (dy - 1/D y y^T dy)",
    ]
}
mistakes = {
    "dx": {
        "variant": [
            "s = sqrt(mean(x**2))\n(dy - x / s * mean(x / s * dy)) / s",
            "n = sqrt(sum(x**2) + eps)\n(dy - x / n * sum(x / n * dy)) / n",
        ],
        "missing-term": ["dy / r", "dx_i = dy_i / r", "1/r dy"],
        "term-factor": ["(dy + y * mean(y * dy)) / r", "1/r (dy + 1/D y y^T dy)"],
        "jacobian": ["(np.eye(D) - np.outer(y, y) / D) / r"],
        "diagonal-only": ["dy * (1 - y * y / D) / r", "dx_i = 1/r dy_i (1 - y_i y_i / D)"],
        "upstream-ignored": ["(1 - y * mean(y)) / r"],
        "sign": ["(y * mean(y * dy) - dy) / r"],
        "one-edit": ["dx_i = 1/r (dy_i - y_i mean_j y_i dy_j)"],
        "input-for-output": ["1/r (dy - 1/D x x^T dy)"],
        "unexplained": ["(dy - y * sum(y * dy)) / r"],
    }
}
