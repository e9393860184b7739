"""Each entry written twice: y_{2i} = y_{2i+1} = x_i."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(2, 7))}


def forward(x):
    return {"y": np.repeat(x, 2)}


right = {"dx": ["dy.reshape(-1, 2).sum(axis=1)", "dx_i = dy_{2i} + dy_{2i+1}"]}
mistakes = {
    "dx": {
        "not-accumulated": ["dy[::2]", "dx_i = dy_{2i}", "dx_i = dy_{2i+1}"],
        "factor": ["dy.reshape(-1, 2).mean(axis=1)"],
        "not-summed": ["dy.reshape(-1, 2)"],
        "upstream-ignored": ["np.full_like(x, 2)"],
        "one-edit": ["dx_i = dy_{2i} - dy_{2i+1}"],
    }
}
