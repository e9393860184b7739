"""1 minus the smoothed Dice coefficient. Source: Milletari et al. 2016 (V-Net)."""

import numpy as np

answers = ["dL_dp"]


def sample(rng):
    n = rng.integers(3, 8)
    return {"p": rng.uniform(0.05, 0.95, n), "t": rng.integers(2, size=n)}


def forward(p, t):
    return {"L": 1 - (2 * np.sum(p * t) + 1) / (np.sum(p) + np.sum(t) + 1)}
