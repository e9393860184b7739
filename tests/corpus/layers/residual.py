"""A residual block: y = x + W tanh(V x)."""

import numpy as np


def sample(rng):
    d, h = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "x": rng.standard_normal(d),
        "V": rng.standard_normal((h, d)),
        "W": rng.standard_normal((d, h)),
    }


def let(x, V):
    return {"h": np.tanh(V @ x)}


def forward(x, V, W):
    return {"y": x + W @ np.tanh(V @ x)}


answers = ["dx", "dW", "dV"]
terms = {
    "dx": {
        "the skip connection": lambda dy: dy,
        "the branch": lambda dy, V, W, h: V.T @ ((1 - h**2) * (W.T @ dy)),
    }
}
right = {
    "dx": [
        "dy + V.T @ ((1 - h**2) * (W.T @ dy))",
        "dx_i = dy_i + sum_{k,j} V_ki (1 - h_k^2) W_jk dy_j",
        "dy + V^T ((1 - h ⊙ h) ⊙ (W^T dy))",
    ],
    "dW": ["np.outer(dy, h)", "dW_ij = dy_i h_j", "dy h^T"],
    "dV": [
        "np.outer((1 - h**2) * (W.T @ dy), x)",
        "dV_ij = (1 - h_i^2) (sum_k W_ki dy_k) x_j",
        "((1 - h ⊙ h) ⊙ (W^T dy)) x^T",
    ],
}
mistakes = {
    "dx": {
        "missing-term": ["V.T @ ((1 - h**2) * (W.T @ dy))", "dy", "V^T ((1 - h ⊙ h) ⊙ (W^T dy))"],
        "term-factor": ["dy - V.T @ ((1 - h**2) * (W.T @ dy))"],
        "one-edit": ["dy + V.T @ ((1 + h**2) * (W.T @ dy))"],
        "unexplained": ["dy + V.T @ (W.T @ dy)"],
    },
    "dW": {
        "transposed": ["np.outer(h, dy)"],
        "other-gradient": ["((1 - h ⊙ h) ⊙ (W^T dy)) x^T"],
        "upstream-ignored": ["dW_ij = h_j"],
    },
    "dV": {
        "transposed": ["np.outer(x, (1 - h**2) * (W.T @ dy))"],
        "other-gradient": ["dy h^T"],
        "sign": ["-((1 - h ⊙ h) ⊙ (W^T dy)) x^T"],
        "one-edit": ["dV_ij = (1 - h_i) (sum_k W_ki dy_k) x_j"],
    },
}
