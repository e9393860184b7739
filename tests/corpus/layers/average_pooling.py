"""Average pooling over pairs: y_k is the mean of x_{2k} and x_{2k+1}."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(2 * int(rng.integers(2, 6)))}


def forward(x):
    return {"y": np.mean(x.reshape(-1, 2), axis=1)}


variants = {
    "this is the gradient of max pooling": lambda x: {"y": np.max(x.reshape(-1, 2), axis=1)}
}
right = {
    "dx": ["np.repeat(dy, 2) / 2", "dx[i] = 1/2 dy[i//2]", "dx_i = sum_k dy_k [2k <= i < 2k+2] / 2"]
}
mistakes = {
    "dx": {
        "factor": ["np.repeat(dy, 2)", "dx[i] = dy[i//2]"],
        "variant": ["np.repeat(dy, 2) * (x == np.repeat(x.reshape(-1, 2).max(axis=1), 2))"],
        "upstream-ignored": ["np.full_like(x, 0.5)"],
        "flipped": ["np.repeat(dy[::-1], 2) / 2"],
        "one-edit": ["np.repeat(y, 2) / 2"],
        "partly": ["np.tile(dy, 2) / 2", "d = np.zeros_like(x)\nd[::2] = dy / 2\ndx = d"],
    }
}
