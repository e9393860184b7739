"""ReGLU: a gated by relu(b). Source: Shazeer 2020; PyTorch glu in derivatives.yaml."""

import numpy as np


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"a": rng.standard_normal((m, n)), "b": rng.standard_normal((m, n))}


def forward(a, b):
    return {"y": a * np.maximum(b, 0)}
