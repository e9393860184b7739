"""The running sum y_i = x_0 + ... + x_i."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 9))}


def forward(x):
    return {"y": np.cumsum(x)}


right = {"dx": ["np.cumsum(dy[::-1])[::-1]", "dx[i] = sum(k) dy[k] [k >= i]"]}
mistakes = {
    "dx": {
        "flipped": ["np.cumsum(dy[::-1])"],
        "upstream-ignored": ["np.arange(len(x), 0, -1)"],
        "diagonal-only": ["dy"],
        "one-edit": ["dx[i] = sum(k) dy[k] [k <= i]"],
        "unexplained": ["np.cumsum(dy)"],
        "over-summed": ["sum(np.cumsum(dy[::-1]))"],
        "jacobian": ["np.tril(np.ones((len(x), len(x))))"],
    }
}
