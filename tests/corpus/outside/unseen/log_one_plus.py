"""log(1 + x) for x > -1. Source: PyTorch log1p in derivatives.yaml; autograd's rule for log1p."""

import numpy as np

assume = "x > -1"


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.uniform(-0.8, 2.0, (m, n))}


def forward(x):
    return {"y": np.log(1 + x)}
