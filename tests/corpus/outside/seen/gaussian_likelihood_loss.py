"""Gaussian NLL with predicted variances. Source: PyTorch gaussian_nll_loss."""

import numpy as np

answers = ["dL_dm", "dL_dv"]
sizes = {"N": ("m", 0)}


def sample(rng):
    n = rng.integers(2, 7)
    return {
        "m": rng.standard_normal(n),
        "v": rng.uniform(0.3, 2.5, n),
        "y": rng.standard_normal(n),
    }


def forward(m, v, y):
    return {"L": np.mean(np.log(v) + (m - y) ** 2 / v) / 2}
