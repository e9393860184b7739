"""Leaky rectifier with slope a below zero: y = x where x > 0, else a x."""

import numpy as np

assume = "0 < a < 1"


def sample(rng):
    shape = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal(shape), "a": float(rng.uniform(0.1, 0.6))}


def forward(x, a):
    return {"y": np.maximum(x, a * x)}


right = {
    "dx": [
        "dy * np.where(x > 0, 1, a)",
        "dx_ij = dy_ij if x_ij > 0 else a dy_ij",
        "dx[i,j] = dy[i,j] ([x[i,j] > 0] + a [x[i,j] <= 0])",
    ]
}
remarks = {"dx": {"ties": ["dx[i,j] = dy[i,j] ([x[i,j] >= 0] + a [x[i,j] <= 0])"]}}
mistakes = {
    "dx": {
        "upstream-ignored": ["np.where(x > 0, 1, a)"],
        "partly": ["dy * (x > 0)", "dx_ij = dy_ij [x_ij > 0]", "dy"],
        "sign": ["dy * np.where(x > 0, -1, -a)"],
        "one-edit": ["dy * np.where(x > 0, a, 1)"],
    }
}
