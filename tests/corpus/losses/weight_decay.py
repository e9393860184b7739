"""A weak penalty on the weights: L = a sum w^2 / 2 with a near a millionth."""

import numpy as np


def sample(rng):
    return {"w": rng.standard_normal(rng.integers(3, 8)), "a": float(rng.uniform(1e-6, 5e-6))}


def forward(w, a):
    return {"L": a * np.sum(w**2) / 2}


right = {"dL_dw": ["a * w", "dL_dw_i = a w_i", "a w"]}
remarks = {"dL_dw": {"convention": ["dL * a * w"], "orientation": ["a w^T"]}}
mistakes = {
    "dL_dw": {
        "sign": ["-a * w"],
        "factor": ["2 * a * w", "a w / 2", "1.0001 a w"],
        "over-summed": ["a * sum(w)"],
        "flipped": ["a * w[::-1]"],
        "one-edit": ["a * a * w"],
        "unexplained": ["0 * w", "a + 0 * w"],
    }
}
