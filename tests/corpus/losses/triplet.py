"""A triplet loss without a margin: squared distance to the positive minus that to the negative."""

import numpy as np


def sample(rng):
    d = int(rng.integers(2, 7))
    return {name: rng.standard_normal(d) for name in ("a", "p", "n")}


def forward(a, p, n):
    return {"L": np.sum((a - p) ** 2) - np.sum((a - n) ** 2)}


right = {
    "dL_da": ["2 * (n - p)", "dL_da_i = 2 (n_i - p_i)", "2 (a - p) - 2 (a - n)"],
    "dL_dp": ["2 * (p - a)", "dL_dp_i = -2 (a_i - p_i)", "-2 (a - p)"],
    "dL_dn": ["2 * (a - n)", "2 (a - n)"],
}
mistakes = {
    "dL_da": {
        "sign": ["2 * (p - n)", "dL_da_i = 2 (p_i - n_i)"],
        "factor": ["n - p"],
        "other-gradient": ["2 * (a - n)"],
        "one-edit": ["2 (a - p) + 2 (a - n)"],
        "size-factor": ["2 * (n - p) / len(a)"],
        "flipped": ["2 * (n - p)[::-1]"],
    },
    "dL_dp": {
        "sign": ["2 (a - p)"],
        "other-gradient": ["2 (n - p)"],
        "over-summed": ["2 * sum(p - a)"],
        "one-edit": ["2 * (p + a)"],
    },
    "dL_dn": {"sign": ["2 * (n - a)"], "factor": ["a - n"]},
}
