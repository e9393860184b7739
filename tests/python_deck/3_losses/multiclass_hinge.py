"""The multi-class hinge loss of Weston and Watkins, averaged over the examples."""

import numpy as np

answers = {"dL_dZ": "gradient with respect to the scores"}
sizes = {"N": ("Z", 0), "K": ("Z", 1)}
symbols = {"Z": "z"}
assume = "no margin is met exactly"


def sample(rng):
    """Scores whose first example keeps one margin and misses all others, which are two or more."""
    N, K = rng.choice([4, 5, 6, 7], size=2, replace=False)
    Z = rng.standard_normal((N, K))
    t = rng.integers(0, K, size=N)
    first = rng.uniform(-0.8, 0.8, size=K)
    first[(t[0] + 1) % K] = -rng.uniform(1.3, 2)
    first[t[0]] = 0
    Z[0] = first
    return {"Z": Z, "t": t}


def one_hot(t, K):
    return np.arange(K) == t[:, None]


def missed(Z, t):
    """u[n, j] = 1 + z[n, j] - z[n, t[n]], and the one-hot labels."""
    T = one_hot(t, Z.shape[1])
    return 1 + Z - (Z * T).sum(axis=1, keepdims=True), T


def forward(Z, t):
    u, T = missed(Z, t)
    return {"L": (np.maximum(0, u) * (1 - T)).sum() / Z.shape[0]}


def let(Z, t):
    u, T = missed(Z, t)
    return {"u": u, "T": 1.0 * T, "A": 1.0 * ((u > 0) & ~T)}


def closest_rival_only(Z, t):
    u, T = missed(Z, t)
    return {"L": np.maximum(0, (u - 1e3 * T).max(axis=1)).sum() / Z.shape[0]}


variants = {
    "This is the gradient of the loss of Crammer and Singer, who count only the closest rival.": (
        closest_rival_only
    ),
}

terms = {
    "dL_dZ": {
        "the push on the rivals": lambda A: A / len(A),
        "the pull on the true class": lambda A, T: -T * A.sum(axis=1, keepdims=True) / len(A),
    }
}

right = {
    "dL_dZ": [
        "(A - T * A.sum(axis=1, keepdims=True)) / N",
        "dL_dZ[n,j] = 1/N (A[n,j] - [j=t[n]] sum_k A[n,k])",
        r"\frac{1}{N} (A - diag(A \mathbf{1}) T)",
    ]
}

wrong = {
    "dL_dZ": {
        "The score of the true class appears in every term too, with a minus sign.": "A / N",
        "The true class is pulled once for each rival that is too close, not just once.": (
            "(A - T) / N"
        ),
        "This pulls the true class once for every rival. Those far behind send no message.": (
            "(A - (K - 1) * T) / N"
        ),
        "The sign is flipped: a rival that comes too close has to go down.": (
            "(T * A.sum(axis=1, keepdims=True) - A) / N"
        ),
        "You summed over the examples. The pull on the true class comes from the rivals "
        "in its own row.": ("(A - T * A.sum(axis=0)) / N"),
        "The loss is a mean over the examples: divide by N.": (
            "A - T * A.sum(axis=1, keepdims=True)"
        ),
    }
}
