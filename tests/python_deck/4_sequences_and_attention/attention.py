"""Scaled dot-product attention of one head."""

import numpy as np

answers = {
    "dV": "backward message to the values",
    "dQ": "backward message to the queries",
    "dK": "backward message to the keys",
}
sizes = {"N": ("Q", 0), "M": ("K", 0), "D": ("Q", 1), "E": ("V", 1)}
hints = [
    "Go back in steps: from the outputs to the weights P, to the scores S, and to the queries "
    "and keys.",
    "Each row of P is a softmax. Which message does a softmax send to its scores?",
]


def sample(rng):
    N, M, D, E = rng.choice([2, 3, 4, 5], size=4, replace=False)
    return {
        "Q": rng.standard_normal((N, D)),
        "K": rng.standard_normal((M, D)),
        "V": rng.standard_normal((M, E)),
    }


def softmax(S, axis=1):
    e = np.exp(S)
    return e / e.sum(axis=axis, keepdims=True)


def scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])


def forward(Q, K, V):
    return {"O": softmax(scores(Q, K)) @ V}


def let(Q, K):
    return {"S": scores(Q, K), "P": softmax(scores(Q, K))}


def unscaled(Q, K, V):
    return {"O": softmax(Q @ K.T) @ V}


def over_the_queries(Q, K, V):
    return {"O": softmax(scores(Q, K), axis=0) @ V}


variants = {
    "This is the gradient of attention without the scale 1/√D.": unscaled,
    "Your softmax runs over the queries. It has to run over the keys.": over_the_queries,
}


def own_terms(P, V, dO):
    """The part of the message to the scores that comes from each weight's own upstream."""
    return P * (dO @ V.T)


def averages(P, V, dO):
    """The part that comes from the softmax's denominator."""
    return -P * (P * (dO @ V.T)).sum(axis=1, keepdims=True)


terms = {
    "dQ": {
        "the term of each weight's own upstream": lambda P, V, dO, K: (
            own_terms(P, V, dO) @ K / np.sqrt(K.shape[1])
        ),
        "the softmax's average": lambda P, V, dO, K: averages(P, V, dO) @ K / np.sqrt(K.shape[1]),
    },
    "dK": {
        "the term of each weight's own upstream": lambda P, V, dO, Q: (
            own_terms(P, V, dO).T @ Q / np.sqrt(Q.shape[1])
        ),
        "the softmax's average": lambda P, V, dO, Q: averages(P, V, dO).T @ Q / np.sqrt(Q.shape[1]),
    },
}

TO_SCORES = "A = dO @ V.T\nB = P * (A - (P * A).sum(axis=1, keepdims=True))\n"
TO_SCORES_BY_INDEX = (
    "A[n,m] = sum_e dO[n,e] V[m,e]\nB[n,m] = P[n,m] (A[n,m] - sum_j P[n,j] A[n,j])\n"
)
TO_SCORES_BY_MATRIX = "B = P \\odot (dO V^\\top - (O \\odot dO) \\mathbf{1} \\mathbf{1}^\\top)\n"

right = {
    "dV": ["P.T @ dO", "dV[m,e] = sum_n P[n,m] dO[n,e]", r"dV = P^\top dO"],
    "dQ": [
        TO_SCORES + "dQ = B @ K / np.sqrt(D)",
        TO_SCORES_BY_INDEX + "dQ[n,i] = sum_m B[n,m] K[m,i] / sqrt(D)",
        TO_SCORES_BY_MATRIX + r"dQ = \frac{1}{\sqrt{D}} B K",
    ],
    "dK": [
        TO_SCORES + "dK = B.T @ Q / np.sqrt(D)",
        TO_SCORES_BY_INDEX + "dK[m,i] = sum_n B[n,m] Q[n,i] / sqrt(D)",
        TO_SCORES_BY_MATRIX + r"dK = \frac{1}{\sqrt{D}} B^\top Q",
    ],
}

UNAVERAGED = "B = P * (dO @ V.T)\n"
DIAGONAL = "B = P * (1 - P) * (dO @ V.T)\n"
WITHOUT_SOFTMAX = "B = dO @ V.T\n"

wrong = {
    "dV": {
        "You used the raw scores. The values are averaged with the weights P.": "S.T @ dO",
        "The weights are missing: a value that is hardly attended to receives a small message.": (
            "np.ones(P.shape).T @ dO"
        ),
        "Use the upstream, not the output.": "P.T @ O",
    },
    "dQ": {
        "The scale is missing: 1/√D appears in the forward pass, so it appears in the message.": (
            TO_SCORES + "dQ = B @ K"
        ),
        "The attention weights share a denominator: subtract the average of the messages "
        "to the weights.": (UNAVERAGED + "dQ = B @ K / np.sqrt(D)"),
        "You used only the diagonal of the Jacobian of the softmax. Each score affects its "
        "whole row.": (DIAGONAL + "dQ = B @ K / np.sqrt(D)"),
        "The softmax is left out: you used the message to the weights, not the one to the"
        " scores.": (WITHOUT_SOFTMAX + "dQ = B @ K / np.sqrt(D)"),
        "You used the scale twice. It enters only once, with the scores.": (
            TO_SCORES + "dQ = B @ K / D"
        ),
    },
    "dK": {
        "The scale is missing: 1/√D appears in the forward pass, so it appears in the message.": (
            TO_SCORES + "dK = B.T @ Q"
        ),
        "The attention weights share a denominator: subtract the average of the messages "
        "to the weights.": (UNAVERAGED + "dK = B.T @ Q / np.sqrt(D)"),
        "The softmax is left out: you used the message to the weights, not the one to the"
        " scores.": (WITHOUT_SOFTMAX + "dK = B.T @ Q / np.sqrt(D)"),
        "You summed over the queries. The softmax runs over the keys, along a row.": (
            "A = dO @ V.T\nB = P * (A - (P * A).sum(axis=0))\ndK = B.T @ Q / np.sqrt(D)"
        ),
    },
}
