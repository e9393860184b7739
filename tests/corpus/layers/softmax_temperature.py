"""A softmax with temperature t: p = softmax(z / t)."""

import numpy as np

symbols = {"t": "τ"}


def sample(rng):
    return {"z": rng.standard_normal(rng.integers(3, 7)), "t": np.asarray(rng.uniform(0.5, 2.0))}


def forward(z, t):
    powers = np.exp(z / t)
    return {"p": powers / np.sum(powers)}


answers = ["dz", "dp_dz", "dt"]
wrong = {"dz": {"the temperature is missing": "p * (dp - sum(p * dp))"}}
right = {
    "dz": [
        "p * (dp - sum(p * dp)) / t",
        "dz_i = 1/τ p_i (dp_i - sum_k p_k dp_k)",
        "1/τ (diag(p) - p p^T) dp",
    ],
    "dp_dz": [
        "(np.diag(p) - np.outer(p, p)) / t",
        "dp_dz[i,j] = 1/t p_i ([i=j] - p_j)",
        "\\frac{1}{τ} (diag(p) - p p^\\top)",
    ],
    "dt": [
        "-sum(dp * p * (z - sum(p * z))) / t**2",
        "-1/τ^2 sum_i dp_i p_i (z_i - sum_k p_k z_k)",
        "-1/t^2 dp^T (diag(p) - p p^T) z",
    ],
}
mistakes = {
    "dz": {
        "known-mistake": ["p * (dp - p @ dp)", "(diag(p) - p p^T) dp"],
        "jacobian": ["(np.diag(p) - np.outer(p, p)) / t", "1/t (diag(p) - p p^T)"],
        "diagonal-only": ["p * (1 - p) * dp / t", "dz_i = 1/t p_i (1 - p_i) dp_i"],
        "one-edit": ["p * (dp + sum(p * dp)) / t", "dz_i = 1/t p_i (dp_i - sum_k p_i dp_k)"],
        "input-for-output": ["p * (dp - sum(z * dp)) / t"],
        "unexplained": ["p * dp / t"],
    },
    "dp_dz": {
        "sign": ["(np.outer(p, p) - np.diag(p)) / t"],
        "partly": ["-np.outer(p, p) / t"],
        "one-edit": ["(np.diag(p) + np.outer(p, p)) / t", "dp_dz[i,j] = 1/t p_i ([i=j] - p_i)"],
        "unexplained": ["np.diag(p * (1 - p)) / t + 1"],
    },
    "dt": {
        "sign": ["1/t^2 dp^T (diag(p) - p p^T) z"],
        "one-edit": [
            "-sum(dp * p * (z + sum(p * z))) / t**2",
            "-sum(dp * p * (z - sum(p * z))) / t**3",
        ],
        "unexplained": ["sum(dp) / t"],
    },
}
