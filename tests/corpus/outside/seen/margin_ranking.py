"""Margin ranking loss of one pair. Source: PyTorch margin_ranking_loss."""

import numpy as np

answers = ["dL_da", "dL_db"]


def sample(rng):
    a, b = rng.standard_normal(2)
    return {
        "a": np.array(a),
        "b": np.array(b),
        "t": int(rng.choice([-1, 1])),
        "m": float(rng.uniform(0.0, 0.8)),
    }


def forward(a, b, t, m):
    return {"L": np.maximum(0.0, m - t * (a - b))}
