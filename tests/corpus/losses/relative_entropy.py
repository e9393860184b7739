"""The relative entropy of q and p, not normalised: K = sum q log(q / p)."""

import numpy as np


def sample(rng):
    n = int(rng.integers(3, 8))
    return {"q": rng.uniform(0.2, 1.5, n), "p": rng.uniform(0.2, 1.5, n)}


def forward(q, p):
    return {"K": np.sum(q * np.log(q / p))}


terms = {"dK_dq": {"log(q/p)": lambda q, p: np.log(q / p), "1": lambda q: np.ones_like(q)}}
right = {
    "dK_dq": ["np.log(q / p) + 1", "dK_dq_i = log(q_i / p_i) + 1", "log(q) - log(p) + 1"],
    "dK_dp": ["-q / p", "dK_dp_i = -q_i / p_i"],
}
remarks = {"dK_dp": {"convention": ["-dK * q / p"]}}
mistakes = {
    "dK_dq": {
        "missing-term": ["np.log(q / p)", "dK_dq_i = log(q_i / p_i)"],
        "term-factor": ["np.log(q / p) - 1"],
        "sign": ["np.log(p / q) - 1"],
        "other-gradient": ["-q / p"],
        "one-edit": ["log(q) + log(p) + 1"],
        "unexplained": ["q * np.log(q / p)"],
    },
    "dK_dp": {
        "sign": ["q / p", "dK_dp_i = q_i / p_i"],
        "other-gradient": ["log(q) - log(p) + 1"],
        "one-edit": ["-p / p"],
        "unexplained": ["-p / q"],
    },
}
