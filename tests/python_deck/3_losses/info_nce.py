"""InfoNCE with the other keys of the batch as negatives."""

import numpy as np

answers = {
    "dL_dQ": "gradient with respect to the queries",
    "dL_dK": "gradient with respect to the keys",
}
sizes = {"N": ("Q", 0), "D": ("Q", 1)}
symbols = {"tau": "τ"}
assume = "τ > 0"


def sample(rng):
    N, D = rng.choice([3, 4, 5, 6], size=2, replace=False)
    return {
        "Q": rng.standard_normal((N, D)),
        "K": rng.standard_normal((N, D)),
        "tau": rng.uniform(1.2, 2.5),
    }


def row_softmax(S):
    e = np.exp(S)
    return e / e.sum(axis=1, keepdims=True)


def let(Q, K, tau):
    return {"P": row_softmax(Q @ K.T / tau)}


def forward(Q, K, tau):
    P = row_softmax(Q @ K.T / tau)
    return {"L": -np.log(np.diag(P)).mean()}


def keys_choose_queries(Q, K, tau):
    return forward(K, Q, tau)


def both_ways(Q, K, tau):
    return {"L": (forward(Q, K, tau)["L"] + forward(K, Q, tau)["L"]) / 2}


variants = {
    "This is the gradient if the softmax runs over the queries. On this card, it runs over the "
    "keys.": (keys_choose_queries),
    "This is the gradient of the symmetric loss, the mean over both directions.": both_ways,
}

terms = {
    "dL_dQ": {
        "the mean of the keys": lambda P, K, tau: P @ K / (len(P) * tau),
        "the own key": lambda K, tau: -K / (len(K) * tau),
    },
    "dL_dK": {
        "the mean of the queries": lambda P, Q, tau: P.T @ Q / (len(P) * tau),
        "the own query": lambda Q, tau: -Q / (len(Q) * tau),
    },
}

right = {
    "dL_dQ": [
        "(P @ K - K) / (N * tau)",
        "dL_dQ[n,i] = 1/(N tau) sum_m (P[n,m] - [n=m]) K[m,i]",
        r"\frac{1}{N \tau} (P - I) K",
    ],
    "dL_dK": [
        "(P.T @ Q - Q) / (N * tau)",
        "dL_dK[m,i] = 1/(N tau) sum_n (P[n,m] - [n=m]) Q[n,i]",
        r"\frac{1}{N \tau} (P - I)^\top Q",
    ],
}

wrong = {
    "dL_dQ": {
        "The temperature divides the similarities, so it divides their messages too.": (
            "(P @ K - K) / N"
        ),
        "The loss is a mean over the queries: divide by N.": "(P @ K - K) / tau",
        "This is only the pull of each query towards its own key. All keys in the row push as "
        "well.": ("-K / (N * tau)"),
        "The sign is flipped: descent must pull a query towards its own key.": (
            "(K - P @ K) / (N * tau)"
        ),
        "P is transposed: in the message to query n, row n of P weights the keys.": (
            "(P.T @ K - K) / (N * tau)"
        ),
        "The derivative of Q K^T with respect to Q contains the keys, not the queries.": (
            "(P @ Q - Q) / (N * tau)"
        ),
    },
    "dL_dK": {
        "P must be transposed: key m receives its messages from column m.": (
            "(P @ Q - Q) / (N * tau)"
        ),
        "The temperature divides the similarities, so it divides their messages too.": (
            "(P.T @ Q - Q) / N"
        ),
        "The loss is a mean over the queries: divide by N.": "(P.T @ Q - Q) / tau",
        "This is only the pull of each key towards its own query. For all other queries, the "
        "key is a negative.": ("-Q / (N * tau)"),
        "The derivative of Q K^T with respect to K contains the queries, not the keys.": (
            "(P.T @ K - K) / (N * tau)"
        ),
        "The sign is flipped: descent must pull a key towards its own query.": (
            "(Q - P.T @ Q) / (N * tau)"
        ),
    },
}
