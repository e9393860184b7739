"""The sum of all entries, as one output: y = sum_ij x_ij."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.choice([2, 3, 4, 5], size=2, replace=False))}


def forward(x):
    return {"y": np.sum(x)}


answers = ["dx"]
right = {"dx": ["dy * np.ones(x.shape)", "np.full_like(x, dy)", "dx_ij = dy"]}
remarks = {"dx": {"convention": ["np.ones_like(x)", "dx_ij = 1"]}}
mistakes = {
    "dx": {
        "sign": ["-np.full_like(x, dy)", "dx_ij = -dy"],
        "factor": ["1.00001 * dy * np.ones(x.shape)"],
        "unexplained": ["dy", "dy * np.ones(len(x))", "dy * x"],
    }
}
