"""E-step of a mixture of Gaussians on the real line: the responsibilities."""

import numpy as np

answers = {"r": "responsibilities"}
sizes = {"N": ("x", 0), "K": ("w", 0)}
symbols = {"mu": "μ"}
assume = "every weight w_k and variance v_k is positive; the weights sum to 1"
hints = [
    "A responsibility is a posterior probability: multiply the prior by the likelihood, "
    "then normalise."
]


def sample(rng):
    """Components that overlap and whose weights and variances differ."""
    N, K = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "x": rng.standard_normal(N),
        "w": rng.dirichlet(np.full(K, 3.0)),
        "mu": rng.standard_normal(K),
        "v": rng.uniform(0.4, 2.5, size=K),
    }


def reference(x, w, mu, v):
    joint = w * np.exp(-((x[:, None] - mu) ** 2) / (2 * v)) / np.sqrt(2 * np.pi * v)
    return {"r": joint / joint.sum(axis=1, keepdims=True)}


right = {
    "r": [
        "joint = w * np.exp(-(x[:, None] - mu)**2 / (2 * v)) / np.sqrt(2 * np.pi * v)\n"
        "r = joint / joint.sum(axis=1, keepdims=True)",
        "softmax(np.log(w) - np.log(v) / 2 - (x[:, None] - mu) ** 2 / (2 * v))",
        "g[n,k] = w[k] exp(-(x[n] - mu[k])^2 / (2 v[k])) / sqrt(v[k])\n"
        "r[n,k] = g[n,k] / (sum_j g[n,j])",
    ]
}

wrong = {
    "r": {
        "The weights of the components are missing: they are the prior.": (
            "g = np.exp(-(x[:, None] - mu)**2 / (2 * v)) / np.sqrt(v)\n"
            "r = g / g.sum(axis=1, keepdims=True)"
        ),
        "The factor 1/sqrt(v_k) differs between the components and does not cancel.": (
            "g = w * np.exp(-(x[:, None] - mu)**2 / (2 * v))\nr = g / g.sum(axis=1, keepdims=True)"
        ),
        "You normalised over the data. Each data point is divided among the components.": (
            "g = w * np.exp(-(x[:, None] - mu)**2 / (2 * v)) / np.sqrt(v)\nr = g / g.sum(axis=0)"
        ),
        "This is the joint density. Divide it by its sum over the components.": (
            "w * np.exp(-(x[:, None] - mu)**2 / (2 * v)) / np.sqrt(2 * np.pi * v)"
        ),
        "v is already the variance: it is not squared in the exponent.": (
            "g = w * np.exp(-(x[:, None] - mu)**2 / (2 * v**2)) / v\n"
            "r = g / g.sum(axis=1, keepdims=True)"
        ),
    }
}
