"""|cos x|. Source: PyTorch abs and cos in derivatives.yaml, chained."""

import numpy as np


def sample(rng):
    return {"x": rng.uniform(-6, 6, rng.integers(3, 8))}


def forward(x):
    return {"y": np.abs(np.cos(x))}
