"""One step of a recurrent network: g = tanh(W h + U x + b)."""

import numpy as np


def sample(rng):
    n, d = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "h": rng.standard_normal(n),
        "x": rng.standard_normal(d),
        "W": rng.standard_normal((n, n)),
        "U": rng.standard_normal((n, d)),
        "b": rng.standard_normal(n),
    }


def forward(h, x, W, U, b):
    return {"g": np.tanh(W @ h + U @ x + b)}


answers = ["dW", "dh", "db", "dU"]
right = {
    "dW": ["np.outer(dg * (1 - g**2), h)", "dW_ij = dg_i (1 - g_i^2) h_j", "(δ ⊙ (1 - g ⊙ g)) h^T"],
    "dh": [
        "W.T @ (dg * (1 - g**2))",
        "dh_j = sum_i W_ij dg_i (1 - g_i^2)",
        "W^T (dg ⊙ (1 - g ⊙ g))",
    ],
    "db": ["dg * (1 - g**2)", "db_i = dg_i (1 - g_i^2)"],
    "dU": ["np.outer(dg * (1 - g**2), x)", "(dg ⊙ (1 - g ⊙ g)) x^T"],
}
mistakes = {
    "dW": {
        "transposed": ["np.outer(h, dg * (1 - g**2))"],
        "one-edit": [
            "np.outer(dg * (1 + g**2), h)",
            "np.outer(dg * (1 - g**2), g)",
            "np.outer(dg * (1 - h**2), h)",
        ],
        "other-gradient": ["(dg ⊙ (1 - g ⊙ g)) x^T"],
        "upstream-ignored": ["np.outer(1 - g**2, h)", "dW_ij = (1 - g_i^2) h_j"],
        "unexplained": ["np.outer(dg, h)"],
    },
    "dh": {
        "one-edit": ["W (dg ⊙ (1 - g ⊙ g))", "dh_j = sum_i W_ji dg_i (1 - g_i^2)"],
        "not-summed": ["W * (dg * (1 - g**2))[:, None]"],
        "other-gradient": ["dg ⊙ (1 - g ⊙ g)"],
        "jacobian": ["diag(1 - g**2) @ W"],
        "upstream-ignored": ["W.T @ (1 - g**2)"],
        "diagonal-only": ["np.diag(W) * dg * (1 - g**2)"],
        "sign": ["-W^T (dg ⊙ (1 - g ⊙ g))"],
    },
    "db": {
        "upstream-ignored": ["1 - g**2"],
        "other-gradient": ["W.T @ (dg * (1 - g**2))"],
        "input-for-output": ["dg * (1 - h**2)"],
        "over-summed": ["sum(dg * (1 - g**2))"],
    },
}
