"""sin(x) / x. Source: autograd's rule for sinc; PyTorch sinc in derivatives.yaml."""

import numpy as np


def sample(rng):
    n = rng.integers(2, 8)
    return {"x": rng.choice([-1.0, 1.0], n) * rng.uniform(0.3, 6.0, n)}


def forward(x):
    return {"y": np.sin(x) / x}
