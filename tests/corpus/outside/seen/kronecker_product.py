"""K = A kron B. Source: autograd's grad_kron; The Matrix Cookbook, Kronecker product."""

import numpy as np

sizes = {"P": ("B", 0), "Q": ("B", 1)}


def sample(rng):
    m, n = rng.choice([2, 3, 4], size=2, replace=False)
    p, q = rng.choice([2, 3, 5], size=2, replace=False)
    return {"A": rng.standard_normal((m, n)), "B": rng.standard_normal((p, q))}


def forward(A, B):
    return {"K": np.kron(A, B)}
