"""A convolution in one dimension without padding, as a correlation: y_i = sum_u w_u x_{i+u}."""

import numpy as np


def sample(rng):
    n, k = rng.choice([5, 6, 7, 8]), rng.choice([2, 3])
    return {"x": rng.standard_normal(n), "w": rng.standard_normal(k)}


def forward(x, w):
    n = x.shape[0] - w.shape[0] + 1
    return {"y": np.stack([np.sum(w * x[i : i + w.shape[0]]) for i in range(n)])}


right = {
    "dx": ["np.convolve(dy, w)", "dx[i] = sum(u) w[u] dy[i-u]", "dx_i = \\sum_{k} dy_k w_{i-k}"],
    "dw": ["np.correlate(x, dy)", "dw_u = sum_i dy_i x_{i+u}"],
}
mistakes = {
    "dx": {
        "upstream-ignored": ["np.convolve(np.ones_like(dy), w)"],
        "sign": ["-np.convolve(dy, w)"],
        "flipped": ["np.convolve(dy[::-1], w[::-1])"],
        "one-edit": ["dx[i] = sum(u) w[u] dy[i+u]", "np.convolve(dy, w[::-1])"],
        "factor": ["dx[i] = 2 sum(u) w[u] dy[i-u]"],
    },
    "dw": {
        "flipped": ["np.correlate(x, dy)[::-1]"],
        "upstream-ignored": ["np.correlate(x, np.ones_like(dy))"],
        "one-edit": ["dw_u = sum_i dy_i x_{i-u}"],
        "unexplained": ["x[: len(w)]"],
    },
}
