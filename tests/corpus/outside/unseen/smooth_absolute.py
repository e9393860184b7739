"""Mean smooth L1 loss with threshold beta. Source: PyTorch smooth_l1_loss in derivatives.yaml."""

import numpy as np

answers = ["dL_dx"]
symbols = {"beta": "β"}
sizes = {"N": ("x", 0)}


def sample(rng):
    n = rng.integers(3, 8)
    return {
        "x": rng.standard_normal(n),
        "t": rng.standard_normal(n),
        "beta": float(rng.uniform(0.3, 2.0)),
    }


def forward(x, t, beta):
    d = np.abs(x - t)
    return {"L": np.mean(np.where(d < beta, d**2 / (2 * beta), d - beta / 2))}
