"""The posterior of the components in a mixture of unit Gaussians on the line: r_nk."""

import numpy as np

answers = {"r": "posterior of component k given x_n"}
sizes = {"K": ("pi", 0)}
symbols = {"pi": "π", "mu": "μ"}


def sample(rng):
    N, K = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "x": rng.standard_normal(N),
        "mu": rng.standard_normal(K),
        "pi": rng.dirichlet(np.full(K, 3.0)),
    }


def reference(x, mu, pi):
    joint = pi * np.exp(-((x[:, None] - mu) ** 2) / 2)
    return {"r": joint / joint.sum(axis=1, keepdims=True)}


wrong = {
    "r": {
        "the joint is not divided by the evidence": "pi * np.exp(-(x[:, None] - mu)**2 / 2)",
        "the weights of the components are missing": "softmax(-(x[:, None] - mu)**2 / 2)",
    }
}
right = {
    "r": [
        "softmax(log(pi) - (x[:, None] - mu)**2 / 2)",
        "j = pi * np.exp(-(x[:, None] - mu)**2 / 2)\nr = j / j.sum(axis=1, keepdims=True)",
        "r_nk = π_k exp(-(x_n - μ_k)^2 / 2) / (sum_j π_j exp(-(x_n - μ_j)^2 / 2))",
    ]
}
mistakes = {
    "r": {
        "known-mistake": [
            "r_nk = π_k exp(-(x_n - μ_k)^2 / 2)",
            "w = exp(-(x[:, None] - mu)**2 / 2)\nr = w / sum(w, axis=1, keepdims=True)",
        ],
        "transposed": ["softmax(log(pi) - (x[:, None] - mu)**2 / 2).T"],
        "one-edit": ["softmax(log(pi) + (x[:, None] - mu)**2 / 2)"],
        "size-factor": ["softmax(log(pi) - (x[:, None] - mu)**2 / 2) / K"],
        "unexplained": [
            "r_nk = 1/K + 0 x_n μ_k",
            "softmax(log(pi) - (x[:, None] - mu)**2, axis=0)",
        ],
    }
}
