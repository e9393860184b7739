"""The mean hinge loss of scores s with labels y of plus and minus one."""

import numpy as np

sizes = {"N": ("s", 0)}


def sample(rng):
    N = int(rng.integers(4, 10))
    y = rng.choice([-1.0, 1.0], size=N).astype(int)
    s = rng.standard_normal(N)
    y[0], s[0], y[1], s[1] = 1, -0.5, -1, -2.5
    return {"s": s, "y": y}


def forward(s, y):
    return {"L": np.mean(np.maximum(0, 1 - y * s))}


right = {
    "dL_ds": [
        "-y * (y * s < 1) / N",
        "np.where(y * s < 1, -y / N, 0)",
        "dL_ds_n = -1/N y_n [y_n s_n < 1]",
        "dL_ds_n = -1/N y_n [1 - y_n s_n >= 0]",
    ]
}
remarks = {"dL_ds": {"convention": ["-dL * y * (y * s < 1) / N"]}}
mistakes = {
    "dL_ds": {
        "sign": ["y * (y * s < 1) / N", "dL_ds_n = 1/N y_n [y_n s_n < 1]"],
        "size-factor": ["-y * (y * s < 1)", "dL_ds_n = -y_n [y_n s_n < 1]"],
        "partly": ["-y / N"],
        "one-edit": ["-s * (y * s < 1) / N"],
        "unexplained": ["np.ones_like(s)"],
    }
}
