"""Mean of log(1 + exp(-t x)). Source: PyTorch soft_margin_loss in derivatives.yaml."""

import numpy as np

answers = ["dL_dx"]
sizes = {"N": ("x", 0)}


def sample(rng):
    n = rng.integers(2, 8)
    return {"x": rng.standard_normal(n), "t": rng.choice([-1, 1], n)}


def forward(x, t):
    return {"L": np.mean(np.log(1 + np.exp(-t * x)))}
