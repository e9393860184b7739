"""The cosine of the angle between u and v."""

import numpy as np


def sample(rng):
    d = int(rng.integers(3, 8))
    return {"u": rng.standard_normal(d), "v": rng.standard_normal(d)}


def forward(u, v):
    return {"c": np.sum(u * v) / np.sqrt(np.sum(u**2) * np.sum(v**2))}


terms = {
    "dc_du": {
        "v / (|u| |v|)": lambda u, v: v / np.linalg.norm(u) / np.linalg.norm(v),
        "the projection": lambda u, c: -c * u / (u @ u),
    }
}
right = {
    "dc_du": [
        "v / (norm(u) * norm(v)) - c * u / sum(u**2)",
        "dc_du_i = v_i / (norm(u) norm(v)) - c u_i / (sum_k u_k^2)",
    ],
    "dc_dv": [
        "u / (norm(u) * norm(v)) - c * v / norm(v)**2",
        "dc_dv_i = u_i / (norm(u) norm(v)) - c v_i / (sum_k v_k^2)",
    ],
}
mistakes = {
    "dc_du": {
        "missing-term": ["v / (norm(u) * norm(v))", "-c * u / sum(u**2)"],
        "term-factor": ["v / (norm(u) * norm(v)) + c * u / sum(u**2)"],
        "other-gradient": ["u / (norm(u) * norm(v)) - c * v / sum(v**2)"],
        "one-edit": ["v / (norm(u) * norm(v)) - c * u / sum(v**2)"],
        "sign": ["c * u / sum(u**2) - v / (norm(u) * norm(v))"],
        "unexplained": ["v - c * u"],
    },
    "dc_dv": {"other-gradient": ["v / (norm(u) * norm(v)) - c * u / sum(u**2)"]},
}
