"""x log z, entry by entry. Source: PyTorch xlogy in derivatives.yaml; JAX xlogy."""

import numpy as np

assume = "z > 0"


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((m, n)), "z": rng.uniform(0.2, 3.0, (m, n))}


def forward(x, z):
    return {"y": x * np.log(z)}
