"""Scaled dot-product attention: O = P V, the rows of P being softmax(Q K^T / sqrt(d))."""

import numpy as np

sizes = {"d": ("Q", 1)}


def sample(rng):
    n, m, d, e = rng.choice([2, 3, 4, 5, 6], size=4, replace=False)
    return {
        "Q": rng.standard_normal((n, d)),
        "K": rng.standard_normal((m, d)),
        "V": rng.standard_normal((m, e)),
    }


def let(Q, K):
    powers = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return {"P": powers / powers.sum(axis=1, keepdims=True)}


def forward(Q, K, V):
    powers = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return {"O": powers / np.sum(powers, axis=1, keepdims=True) @ V}


answers = ["dV", "dQ", "dK"]
right = {
    "dV": ["P.T @ dO", "dV_jc = sum_i P_ij dO_ic", "P^T dO"],
    "dQ": [
        "A = dO @ V.T\nS = P * (A - sum(P * A, axis=1, keepdims=True))\ndQ = S @ K / sqrt(d)",
        "A_ij = sum_c dO_ic V_jc\nS_ij = P_ij (A_ij - sum_k P_ik A_ik)\n"
        "dQ_ic = 1/sqrt(d) sum_j S_ij K_jc",
    ],
    "dK": [
        "A = dO @ V.T\nS = P * (A - sum(P * A, axis=1, keepdims=True))\ndK = S.T @ Q / sqrt(d)",
        "A_ij = sum_c dO_ic V_jc\nS_ij = P_ij (A_ij - sum_k P_ik A_ik)\n"
        "dK_jc = 1/sqrt(d) sum_i S_ij Q_ic",
    ],
}
mistakes = {
    "dV": {
        "sign": ["-P^T dO"],
        "transposed": ["dO.T @ P", "dO^T P"],
        "size-factor": ["P.T @ dO / sqrt(d)"],
        "upstream-ignored": ["P.T @ np.ones_like(dO)"],
        "unexplained": ["V * np.sum(dO)"],
    },
    "dQ": {
        "size-factor": [
            "A = dO @ V.T\nS = P * (A - sum(P * A, axis=1, keepdims=True))\ndQ = S @ K",
            "A = dO @ V.T\nS = P * (A - sum(P * A, axis=1, keepdims=True))\ndQ = S @ K / d",
            "A = dO @ V.T\nS = P * (A - sum(P * A, axis=1, keepdims=True))\ndQ = S @ K * sqrt(d)",
        ],
        "one-edit": [
            "A = dO @ V.T\nS = P * (A + sum(P * A, axis=1, keepdims=True))\ndQ = S @ K / sqrt(d)",
        ],
        "unexplained": ["A = dO @ V.T\ndQ = P * A @ K / sqrt(d)"],
    },
    "dK": {
        "size-factor": [
            "A = dO @ V.T\nS = P * (A - sum(P * A, axis=1, keepdims=True))\ndK = S.T @ Q"
        ],
        "other-gradient": [
            "A = dO @ V.T\nS = P * (A - sum(P * A, axis=1, keepdims=True))\ndK = S @ K / sqrt(d)"
        ],
    },
}
