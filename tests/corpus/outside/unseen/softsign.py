"""Softsign of a vector. Source: PyTorch nn.functional.softsign; autograd's rule for absolute."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(2, 8))}


def forward(x):
    return {"y": x / (1 + np.abs(x))}
