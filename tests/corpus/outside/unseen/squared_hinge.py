"""Squared hinge of one example. Source: textbooks (L2-SVM); PyTorch multi_margin_loss, p = 2."""

import numpy as np

answers = ["dL_dw"]


def sample(rng):
    d = rng.integers(2, 6)
    return {
        "w": rng.standard_normal(d),
        "x": rng.standard_normal(d),
        "t": int(rng.choice([-1, 1])),
    }


def forward(w, x, t):
    return {"L": np.maximum(0.0, 1 - t * np.dot(w, x)) ** 2}
