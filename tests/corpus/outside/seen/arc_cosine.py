"""arccos x. Source: autograd's rule for arccos; PyTorch acos in derivatives.yaml."""

import numpy as np

assume = "-1 < x < 1"


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.uniform(-0.95, 0.95, (m, n))}


def forward(x):
    return {"y": np.arccos(x)}
