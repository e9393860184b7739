"""Embedding lookup: a text of tokens, some of them repeated, picks rows of a table."""

import numpy as np

answers = {"dE": "parameter message of the table"}
sizes = {"V": ("E", 0), "D": ("E", 1), "N": ("t", 0)}
assume = "a token may occur several times, or not at all"


def sample(rng):
    """A table, and tokens (integers: constants) of which one is repeated and one is missing."""
    V, D, N = rng.choice([3, 4, 5, 6, 7], size=3, replace=False)
    t = rng.integers(0, V - 1, size=N)
    t[-1] = t[0]
    return {"E": rng.standard_normal((V, D)), "t": rng.permutation(V)[t]}


def forward(E, t):
    """y[n] is row t[n] of the table."""
    return {"y": E[t]}


def one_hot_matrix(E, t):
    return 1.0 * (t[:, None] == np.arange(len(E)))


def let(E, t):
    return {"T": one_hot_matrix(E, t)}


ADD_AT_EVERY_PLACE = """
def dE(E, t, dy):
    g = np.zeros(E.shape)
    for n in range(len(t)):
        g[t[n]] += dy[n]
    return g
"""

ADD_AT = """
def dE(E, t, dy):
    g = np.zeros(E.shape)
    np.add.at(g, t, dy)
    return g
"""

right = {
    "dE": [
        ADD_AT_EVERY_PLACE,
        ADD_AT,
        "np.eye(V)[t].T @ dy",
        "dE[v,d] = sum_n [t[n]=v] dy[n,d]",
        r"dE_{vd} = \sum_n [t_n = v] dy_{nd}",
        "dE = T^T dy",
    ]
}

wrong = {
    "dE": {
        "You kept only the last upstream of a repeated token. Add them all, as np.add.at does.": (
            ADD_AT_EVERY_PLACE.replace("+=", "=")
        ),
        "This counts how often a token occurs. Add the upstreams at those positions.": (
            "np.eye(V)[t].T @ np.ones((N, D))"
        ),
        "You divided by the number of occurrences. The chain rule sums.": (
            "count = np.maximum(T.sum(axis=0), 1)\ndE = T.T @ dy / count[:, None]"
        ),
        "These are the upstreams in the order of the text. The message has the shape of "
        "the table.": ("dy"),
        "The layer is linear: the entries of the table drop out of the derivative.": (
            "E * (T.T @ dy)"
        ),
    }
}
