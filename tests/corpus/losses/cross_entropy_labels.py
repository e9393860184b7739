"""The mean cross-entropy of logits with integer labels."""

import numpy as np

sizes = {"N": ("Z", 0), "K": ("Z", 1)}


def sample(rng):
    N, K = rng.choice([3, 4, 5, 6], size=2, replace=False)
    return {"Z": rng.standard_normal((N, K)), "c": rng.integers(0, K, size=N)}


def let(Z):
    powers = np.exp(Z)
    return {"P": powers / powers.sum(axis=1, keepdims=True)}


def forward(Z, c):
    return {"L": np.mean(np.log(np.sum(np.exp(Z), axis=1)) - Z[np.arange(len(c)), c])}


terms = {
    "dL_dZ": {
        "the softmax": lambda P: P / len(P),
        "the label": lambda c, P: -np.eye(P.shape[1])[c] / len(P),
    }
}
right = {
    "dL_dZ": [
        "(P - one_hot(c, K)) / N",
        "(softmax(Z) - one_hot(c, K)) / N",
        "dL_dZ_nk = 1/N (P_nk - [c_n = k])",
        "d = P.copy()\nd[np.arange(N), c] -= 1\ndL_dZ = d / N",
    ]
}
remarks = {"dL_dZ": {"convention": ["dL * (P - one_hot(c, K)) / N"]}}
mistakes = {
    "dL_dZ": {
        "sign": ["(one_hot(c, K) - P) / N", "dL_dZ_nk = 1/N ([c_n = k] - P_nk)"],
        "size-factor": ["P - one_hot(c, K)", "dL_dZ_nk = P_nk - [c_n = k]"],
        "missing-term": ["P / N", "-one_hot(c, K) / N"],
        "term-factor": ["(P + one_hot(c, K)) / N", "dL_dZ_nk = 1/N (P_nk + [c_n = k])"],
        "one-edit": ["(Z - one_hot(c, K)) / N", "(P - one_hot(c, K)) / K"],
        "partly": ["d = P / N\nd[0, c[0]] -= 1 / N\ndL_dZ = d * (np.arange(N) < 2)[:, None]"],
        "unexplained": ["(P - Z) / N"],
    }
}
