"""PPO's clipped surrogate, negated. Source: Schulman et al. 2017, equation 7."""

import numpy as np

answers = ["dL_dr"]
symbols = {"eps": "ε"}
sizes = {"N": ("r", 0)}


def sample(rng):
    n = rng.integers(3, 8)
    return {
        "r": np.exp(0.4 * rng.standard_normal(n)),
        "a": rng.standard_normal(n),
        "eps": float(rng.uniform(0.1, 0.3)),
    }


def forward(r, a, eps):
    return {"L": -np.mean(np.minimum(r * a, np.clip(r, 1 - eps, 1 + eps) * a))}
