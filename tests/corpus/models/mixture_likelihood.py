"""The log-likelihood of a mixture with fixed densities Q: L = sum_n log sum_k w_k Q_nk."""

import numpy as np


def sample(rng):
    N, K = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {"w": rng.uniform(0.1, 1.0, K), "Q": rng.uniform(0.2, 2.0, (N, K))}


def forward(w, Q):
    return {"L": np.sum(np.log(Q @ w))}


def let(w, Q):
    return {"e": Q @ w}


right = {
    "dL_dw": ["(Q / e[:, None]).sum(axis=0)", "dL_dw_k = sum_n Q_nk / e_n", "Q.T @ (1 / e)"],
    "dL_dQ": ["w / e[:, None]", "dL_dQ_nk = w_k / e_n", "np.outer(1 / e, w)"],
}
mistakes = {
    "dL_dw": {
        "sign": ["-Q.T @ (1 / e)"],
        "not-summed": ["Q / e[:, None]"],
        "over-summed": ["np.sum(Q / e[:, None])"],
        "size-factor": ["mean(Q / e[:, None], axis=0)"],
        "factor": ["Q.T @ (2 / e)"],
        "unexplained": ["Q.sum(axis=0)", "w * (Q.T @ (1 / e))"],
    },
    "dL_dQ": {
        "transposed": ["np.outer(w, 1 / e)"],
        "factor": ["w / e[:, None] / 2"],
        "other-gradient": ["Q.T @ (1 / e)"],
        "sign": ["-w / e[:, None]"],
        "unexplained": ["Q / e[:, None]"],
    },
}
