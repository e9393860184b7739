"""An exponential moving average from zero: y_t = a y_{t-1} + (1 - a) x_t."""

import numpy as np


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 8)), "a": float(rng.uniform(0.2, 0.8))}


def forward(x, a):
    last, found = 0.0, []
    for value in x:
        last = a * last + (1 - a) * value
        found.append(last)
    return {"y": np.stack(found)}


wrong = {"dx": {"the average's memory is ignored": "(1 - a) * dy"}}
right = {
    "dx": [
        "def dx(x, dy, a):\n    d, out = 0.0, np.zeros_like(x)\n"
        "    for t in range(len(x))[::-1]:\n        d = dy[t] + a * d\n"
        "        out[t] = (1 - a) * d\n    return out",
        "t = np.arange(len(x))\nL = np.tril(a ** np.abs(t[:, None] - t))\ndx = (1 - a) * L.T @ dy",
    ]
}
mistakes = {
    "dx": {
        "known-mistake": ["(1 - a) * dy", "dx[t] = (1 - a) dy[t]", "(1 - a) dy"],
        "upstream-ignored": [
            "t = np.arange(len(x))\n(1 - a) * np.tril(a ** np.abs(t[:, None] - t)).sum(axis=0)"
        ],
        "jacobian": ["t = np.arange(len(x))\n(1 - a) * np.tril(a ** np.abs(t[:, None] - t))"],
        "sign": ["t = np.arange(len(x))\n(a - 1) * np.tril(a ** np.abs(t[:, None] - t)).T @ dy"],
        "one-edit": [
            "t = np.arange(len(x))\nL = np.tril(a ** np.abs(t[:, None] - t))\n"
            "dx = (1 + a) * L.T @ dy"
        ],
        "unexplained": [
            "t = np.arange(len(x))\n(1 - a) * np.tril(a ** np.abs(t[:, None] - t)) @ dy"
        ],
    }
}
