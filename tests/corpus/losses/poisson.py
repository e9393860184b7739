"""The negative log-likelihood of counts under a Poisson model with log-rates a, averaged."""

import numpy as np

sizes = {"N": ("a", 0)}


def sample(rng):
    N = int(rng.integers(3, 9))
    return {"a": rng.standard_normal(N), "k": rng.integers(1, 5, size=N)}


def forward(a, k):
    return {"L": np.mean(np.exp(a) - k * a)}


terms = {"dL_da": {"the rate": lambda a: np.exp(a) / len(a), "the count": lambda k: -k / len(k)}}
right = {
    "dL_da": ["(np.exp(a) - k) / N", "dL_da_n = 1/N (exp(a_n) - k_n)", "\\frac{1}{N} (exp(a) - k)"]
}
remarks = {"dL_da": {"convention": ["dL * (exp(a) - k) / N"]}}
mistakes = {
    "dL_da": {
        "sign": ["(k - np.exp(a)) / N", "1/N (k - exp(a))"],
        "size-factor": ["exp(a) - k", "dL_da_n = exp(a_n) - k_n"],
        "missing-term": ["exp(a) / N", "-k / N", "dL_da_n = e^{a_n} / N"],
        "term-factor": ["(exp(a) + k) / N", "1/N (exp(a) - 2 k)"],
        "unexplained": ["(a - k) / N"],
    }
}
