"""The entropy of independent Bernoulli variables with logits a."""

import numpy as np


def sample(rng):
    return {"a": rng.standard_normal(rng.integers(3, 8))}


def let(a):
    return {"q": 1 / (1 + np.exp(-a))}


def forward(a):
    q = 1 / (1 + np.exp(-a))
    return {"H": -np.sum(q * np.log(q) + (1 - q) * np.log(1 - q))}


variants = {
    "this is the gradient toward the probabilities' share only": lambda a: {
        "H": -np.sum(np.log(1 + np.exp(-a)))
    }
}
wrong = {"dH_da": {"toward the probability; the logistic slope is missing": "-a"}}
right = {
    "dH_da": [
        "-a * q * (1 - q)",
        "log((1 - q) / q) * q * (1 - q)",
        "dH_da_i = -a_i q_i (1 - q_i)",
        "-a ⊙ q ⊙ (1 - q)",
    ]
}
mistakes = {
    "dH_da": {
        "known-mistake": ["-a", "log(1 - q) - log(q)", "dH_da_i = -a_i"],
        "sign": ["a * q * (1 - q)", "a ⊙ q ⊙ (1 - q)"],
        "one-edit": ["-a * q * (1 + q)", "-q * q * (1 - q)", "-a ⊙ q ⊙ (2 - q)"],
        "variant": ["1 - q"],
        "size-factor": ["-a * q * (1 - q) / len(a)"],
        "unexplained": ["q * (1 - q)"],
    }
}
