"""The logit of probabilities. Source: PyTorch logit in derivatives.yaml; JAX logit."""

import numpy as np

assume = "0 < p < 1"


def sample(rng):
    return {"p": rng.uniform(0.05, 0.95, rng.integers(2, 8))}


def forward(p):
    return {"y": np.log(p / (1 - p))}
