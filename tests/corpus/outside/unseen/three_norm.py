"""The 3-norm of a vector. Source: PyTorch norm (norm_backward) in derivatives.yaml."""

import numpy as np

answers = ["dr_dx"]


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(2, 8))}


def forward(x):
    return {"r": np.sum(np.abs(x) ** 3) ** (1 / 3)}
