"""Matrix factorisation: squared error on the observed ratings, with a penalty on the factors."""

import numpy as np

answers = {
    "dL_dU": "gradient with respect to the users' factors",
    "dL_dV": "gradient with respect to the items' factors",
}
sizes = {"N": ("U", 0), "M": ("V", 0), "K": ("U", 1)}
symbols = {"lam": "λ", "obs": "o"}


def sample(rng):
    """A mask (integers: constants) in which every user and every item lacks some ratings."""
    N, M, K = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    obs = rng.integers(0, 2, size=(N, M))
    diagonal = np.arange(max(N, M))
    obs[diagonal % N, diagonal % M] = 0
    obs[diagonal % N, (diagonal + 1) % M] = 1
    return {
        "Y": rng.standard_normal((N, M)),
        "obs": obs,
        "U": rng.standard_normal((N, K)),
        "V": rng.standard_normal((M, K)),
        "lam": rng.uniform(0.2, 0.9),
    }


def let(Y, obs, U, V, lam):
    return {"E": obs * (Y - U @ V.T)}


def forward(Y, obs, U, V, lam):
    error = obs * (Y - U @ V.T)
    return {"L": (error**2).sum() + lam * ((U**2).sum() + (V**2).sum())}


def without_mask(Y, obs, U, V, lam):
    return forward(Y, 1, U, V, lam)


def without_penalty(Y, obs, U, V, lam):
    return forward(Y, obs, U, V, 0)


variants = {
    "This is the gradient without the mask: it counts errors of ratings that nobody gave.": (
        without_mask
    ),
    "This is the gradient without the penalty.": without_penalty,
}

terms = {
    "dL_dU": {
        "the term of the errors": lambda E, V: -2 * E @ V,
        "the penalty's term": lambda U, lam: 2 * lam * U,
    },
    "dL_dV": {
        "the term of the errors": lambda E, U: -2 * E.T @ U,
        "the penalty's term": lambda V, lam: 2 * lam * V,
    },
}

right = {
    "dL_dU": [
        "-2 * E @ V + 2 * lam * U",
        "dL_dU[n,k] = -2 sum_j obs[n,j] (Y[n,j] - sum_l U[n,l] V[j,l]) V[j,k] + 2 lam U[n,k]",
        r"dL_dU = -2 (obs \odot (Y - U V^\top)) V + 2 \lambda U",
    ],
    "dL_dV": [
        "-2 * E.T @ U + 2 * lam * V",
        "dL_dV[j,k] = -2 sum_n E[n,j] U[n,k] + 2 lam V[j,k]",
        r"dL_dV = -2 E^\top U + 2 \lambda V",
    ],
}

wrong = {
    "dL_dU": {
        "The sign of the errors is flipped: the inner derivative of Y - U V^T is -V.": (
            "2 * E @ V + 2 * lam * U"
        ),
        "This is half of the gradient: the loss has no 1/2 to cancel the 2.": "-E @ V + lam * U",
        "The penalty is a square too: its factor of 2 is missing.": "-2 * E @ V + lam * U",
        "The sign of the penalty is flipped: the penalty pulls towards zero.": (
            "-2 * E @ V - 2 * lam * U"
        ),
    },
    "dL_dV": {
        "The sign of the errors is flipped: the inner derivative of Y - U V^T is -U.": (
            "2 * E.T @ U + 2 * lam * V"
        ),
        "This is half of the gradient: the loss has no 1/2 to cancel the 2.": "-E.T @ U + lam * V",
        "The penalty is a square too: its factor of 2 is missing.": "-2 * E.T @ U + lam * V",
        "This is the transpose: like V itself, the gradient has one row for each item.": (
            "(-2 * E.T @ U + 2 * lam * V).T"
        ),
    },
}
