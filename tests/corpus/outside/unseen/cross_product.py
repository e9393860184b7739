"""Cross products of rows. Source: PyTorch cross in derivatives.yaml; autograd's rule for cross."""

import numpy as np


def sample(rng):
    n = rng.choice([2, 4, 5, 6])
    return {"a": rng.standard_normal((n, 3)), "b": rng.standard_normal((n, 3))}


def forward(a, b):
    return {
        "c": np.stack(
            [
                a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1],
                a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
                a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0],
            ],
            axis=1,
        )
    }
