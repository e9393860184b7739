"""Entries weighted by their positions, counted from 1: s = sum_i i x_i."""

import numpy as np

first_index = 1
sizes = {"n": ("x", 0)}


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 9))}


def forward(x):
    return {"s": np.sum(np.arange(1, len(x) + 1) * x)}


right = {
    "dx": ["ds * np.arange(1, n + 1)", "dx_i = i ds"],
    "ds_dx": ["np.arange(1, n + 1)", "ds_dx_i = i"],
}
answers = ["dx", "ds_dx"]
remarks = {"dx": {"convention": ["np.arange(1, n + 1)", "dx_i = i"]}}
mistakes = {
    "dx": {
        "sign": ["-ds * np.arange(1, n + 1)", "dx_i = -i"],
        "flipped": ["ds * np.arange(n, 0, -1)", "dx_i = (n + 1 - i) ds"],
        "one-edit": ["dx_i = (i + 1) ds", "dx_i = (i - 1) ds"],
        "size-factor": ["dx_i = i ds / n"],
        "unexplained": ["ds * np.arange(n)", "ds * x"],
    },
    "ds_dx": {
        "sign": ["-np.arange(1, n + 1)"],
        "factor": ["2 * np.arange(1, n + 1)"],
        "over-summed": ["n * (n + 1) / 2"],
    },
}
