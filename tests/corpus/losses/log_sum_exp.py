"""The logarithm of a sum of exponentials."""

import numpy as np


def sample(rng):
    return {"z": rng.standard_normal(rng.integers(3, 8))}


def forward(z):
    return {"F": np.log(np.sum(np.exp(z)))}


right = {
    "dz": [
        "dF * softmax(z)",
        "dF * exp(z - F)",
        "dz_i = dF exp(z_i) / (sum_k exp(z_k))",
        "dF softmax(z)",
    ],
    "dF_dz": ["exp(z) / sum(exp(z))", "dF_dz_i = exp(z_i - F)", "softmax(z)"],
}
answers = ["dz", "dF_dz"]
remarks = {"dz": {"convention": ["softmax(z)"]}, "dF_dz": {"convention": ["dF * softmax(z)"]}}
mistakes = {
    "dz": {
        "sign": ["-dF * softmax(z)", "-softmax(z)"],
        "size-factor": ["dF * softmax(z) / len(z)"],
        "over-summed": ["dF * sum(softmax(z))"],
        "flipped": ["dF * softmax(z)[::-1]"],
        "unexplained": ["dF * z", "dF * exp(z)"],
    },
    "dF_dz": {"factor": ["softmax(z) / 2"], "one-edit": ["exp(z + F)"], "sign": ["-exp(z - F)"]},
}
