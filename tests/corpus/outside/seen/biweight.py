"""Tukey's biweight of residuals. Source: textbooks on robust statistics (Maronna et al.)."""

import numpy as np


def sample(rng):
    return {"r": rng.standard_normal(rng.integers(3, 8)), "c": float(rng.uniform(0.6, 2.0))}


def forward(r, c):
    return {"y": np.where(np.abs(r) < c, c**2 / 6 * (1 - (1 - (r / c) ** 2) ** 3), c**2 / 6)}
