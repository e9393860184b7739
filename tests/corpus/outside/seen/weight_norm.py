"""w = g v / |v|. Source: Salimans and Kingma 2016; PyTorch _weight_norm in derivatives.yaml."""

import numpy as np


def sample(rng):
    return {
        "g": np.array(rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2.0)),
        "v": rng.standard_normal(rng.integers(2, 7)),
    }


def forward(g, v):
    return {"w": g * v / np.sqrt(np.sum(v**2))}
