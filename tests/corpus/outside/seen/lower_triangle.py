"""The lower triangle of X, times b. Source: autograd's rule for tril; PyTorch tril."""

import numpy as np


def sample(rng):
    m, n = rng.choice([3, 4, 5, 6], size=2, replace=False)
    return {"X": rng.standard_normal((m, n)), "b": rng.standard_normal(n)}


def forward(X, b):
    return {"y": np.dot(X * np.tril(np.ones(X.shape)), b)}
