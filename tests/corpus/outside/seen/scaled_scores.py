"""S = Q K^T / sqrt(D). Source: Vaswani et al. 2017; PyTorch baddbmm in derivatives.yaml."""

import numpy as np

sizes = {"D": ("Q", 1)}


def sample(rng):
    n, m, d = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {"Q": rng.standard_normal((n, d)), "K": rng.standard_normal((m, d))}


def forward(Q, K):
    return {"S": Q @ K.T / np.sqrt(Q.shape[1])}
