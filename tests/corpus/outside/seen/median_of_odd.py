"""The median of an odd number of entries. Source: PyTorch median in derivatives.yaml."""

import numpy as np

answers = ["dm_dx"]
sizes = {"N": ("x", 0)}


def sample(rng):
    return {"x": rng.standard_normal(rng.choice([3, 5, 7]))}


def forward(x):
    return {"m": np.sum(np.sort(x) * (np.arange(len(x)) == len(x) // 2))}
