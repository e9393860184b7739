"""The Huber loss, summed: r^2 / 2 inside d, d (|r| - d / 2) outside."""

import numpy as np


def sample(rng):
    n = int(rng.integers(5, 10))
    r = rng.standard_normal(n)
    r[:4] = [0.1, -0.2, 1.7, -2.1]
    return {"r": r, "d": float(rng.uniform(0.4, 1.2))}


def forward(r, d):
    small = np.abs(r) <= d
    return {"L": np.sum(np.where(small, r**2 / 2, d * (np.abs(r) - d / 2)))}


wrong = {"dL_dr": {"the slope outside is d, not 1": "np.where(abs(r) <= d, r, sign(r))"}}
right = {
    "dL_dr": [
        "np.clip(r, -d, d)",
        "np.where(abs(r) <= d, r, d * sign(r))",
        "dL_dr_i = r_i if abs(r_i) <= d else d sign(r_i)",
    ]
}
remarks = {"dL_dr": {"convention": ["dL * np.clip(r, -d, d)"]}}
mistakes = {
    "dL_dr": {
        "known-mistake": ["dL_dr_i = r_i if abs(r_i) <= d else sign(r_i)"],
        "partly": ["r", "d * sign(r)"],
        "sign": ["-np.clip(r, -d, d)"],
        "factor": ["2 * np.clip(r, -d, d)"],
        "unexplained": ["np.exp(r)"],
    }
}
