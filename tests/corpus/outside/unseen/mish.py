"""Mish, x tanh(softplus x). Source: PyTorch mish in derivatives.yaml; Misra's paper."""

import numpy as np


def sample(rng):
    return {"x": 1.5 * rng.standard_normal(rng.integers(2, 8))}


def forward(x):
    return {"y": x * np.tanh(np.log(1 + np.exp(x)))}
