"""The sum of the two largest entries. Source: PyTorch topk in derivatives.yaml."""

import numpy as np

answers = ["dL_dx"]


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 8))}


def forward(x):
    s = np.sort(x)
    return {"L": s[-1] + s[-2]}
