"""tau log sum exp(x / tau), tau moving too. Source: PyTorch logsumexp; Boyd, softmax function."""

import numpy as np

answers = ["dL_dx", "dL_dtau"]
symbols = {"tau": "τ"}


def let(x, tau):
    return {"p": np.exp(x / tau) / np.sum(np.exp(x / tau))}


def sample(rng):
    n = rng.integers(2, 7)
    return {"x": rng.standard_normal(n), "tau": np.array(rng.uniform(0.5, 2.0))}


def forward(x, tau):
    return {"L": tau * np.log(np.sum(np.exp(x / tau)))}
