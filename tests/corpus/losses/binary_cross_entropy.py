"""The binary cross-entropy of probabilities p with targets t, summed."""

import numpy as np


def sample(rng):
    N = int(rng.integers(3, 8))
    return {"p": rng.uniform(0.1, 0.9, N), "t": rng.uniform(0.1, 0.9, N)}


def forward(p, t):
    return {"L": -np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))}


answers = ["dL_dp", "dL_dt"]
terms = {"dL_dp": {"-t / p": lambda p, t: -t / p, "(1-t) / (1-p)": lambda p, t: (1 - t) / (1 - p)}}
right = {
    "dL_dp": [
        "(p - t) / (p * (1 - p))",
        "-t / p + (1 - t) / (1 - p)",
        "dL_dp_i = (p_i - t_i) / (p_i (1 - p_i))",
    ],
    "dL_dt": ["np.log((1 - p) / p)", "dL_dt_i = ln(1 - p_i) - ln p_i", "log(1 - p) - log(p)"],
}
also = {"dL_dp": {"as an ascent direction": "t / p - (1 - t) / (1 - p)"}}
remarks = {"dL_dp": {"convention": ["(t - p) / (p * (1 - p))", "dL * (p - t) / (p * (1 - p))"]}}
mistakes = {
    "dL_dp": {
        "missing-term": ["-t / p", "(1 - t) / (1 - p)", "dL_dp_i = -t_i / p_i"],
        "term-factor": ["-t / p - (1 - t) / (1 - p)", "t / p + (1 - t) / (1 - p)"],
        "one-edit": ["(p - t) / (p * (1 + p))"],
        "other-gradient": ["log(1 - p) - log(p)"],
        "unexplained": ["p - t"],
    },
    "dL_dt": {
        "sign": ["log(p) - log(1 - p)", "dL_dt_i = ln p_i - ln(1 - p_i)"],
        "one-edit": ["log(1 - p) + log(p)"],
        "other-gradient": ["(p - t) / (p * (1 - p))"],
        "size-factor": ["(log(1 - p) - log(p)) / len(p)"],
    },
}
