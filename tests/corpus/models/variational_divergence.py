"""A diagonal Gaussian against the standard one: D = sum (m^2 + s^2 - 1 - log s^2) / 2."""

import numpy as np


def sample(rng):
    d = int(rng.integers(2, 7))
    return {"m": rng.standard_normal(d), "s": rng.uniform(0.4, 2.0, d)}


def forward(m, s):
    return {"D": np.sum(m**2 + s**2 - 1 - np.log(s**2)) / 2}


symbols = {"s": "σ", "m": "μ"}
variants = {
    "this is the gradient toward the variance": lambda m, s: {"D": np.sum(s - np.log(s)) / 2}
}
terms = {"dD_ds": {"s": lambda s: s, "-1/s": lambda s: -1 / s}}
right = {
    "dD_dm": ["m", "dD_dm_i = m_i", "μ"],
    "dD_ds": ["s - 1 / s", "dD_ds_i = s_i - 1/s_i", "dD_ds_i = \\sigma_i - \\frac{1}{\\sigma_i}"],
}
remarks = {"dD_dm": {"convention": ["dD * m"]}, "dD_ds": {"convention": ["dD * (s - 1 / s)"]}}
mistakes = {
    "dD_dm": {
        "sign": ["-m"],
        "factor": ["2 * m", "dD_dm_i = m_i / 2"],
        "other-gradient": ["s - 1 / s"],
        "flipped": ["m[::-1]"],
        "over-summed": ["sum(m)"],
        "one-edit": ["m * s"],
        "unexplained": ["m**2 / 2"],
    },
    "dD_ds": {
        "missing-term": ["s", "-1 / s"],
        "term-factor": ["s + 1 / s", "s - 2 / s"],
        "variant": ["(1 - 1 / s) / 2"],
        "other-gradient": ["m"],
        "sign": ["1 / s - s"],
        "unexplained": ["m - 1 / m"],
    },
}
