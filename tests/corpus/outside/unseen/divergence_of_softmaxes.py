"""KL(softmax u || softmax v). Source: PyTorch kl_div in derivatives.yaml."""

import numpy as np

answers = ["dL_du", "dL_dv"]


def let(u, v):
    return {"p": np.exp(u) / np.sum(np.exp(u)), "q": np.exp(v) / np.sum(np.exp(v))}


def sample(rng):
    n = rng.integers(2, 7)
    return {"u": rng.standard_normal(n), "v": rng.standard_normal(n)}


def forward(u, v):
    p = np.exp(u) / np.sum(np.exp(u))
    q = np.exp(v) / np.sum(np.exp(v))
    return {"L": np.sum(p * (np.log(p) - np.log(q)))}
