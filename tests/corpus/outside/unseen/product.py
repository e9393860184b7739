"""The product of all entries. Source: PyTorch prod in derivatives.yaml; autograd's grad_np_prod."""

import numpy as np

answers = ["dP_dx"]


def sample(rng):
    n = rng.integers(2, 6)
    return {"x": rng.choice([-1.0, 1.0], n) * rng.uniform(0.4, 2.0, n)}


def forward(x):
    return {"P": np.prod(x)}
