"""EM for a mixture of exponential distributions: responsibilities and new rates."""

import numpy as np

answers = {"r": "E-step: responsibilities", "lam_new": "M-step: rates"}
sizes = {"N": ("x", 0), "K": ("w", 0)}
symbols = {"lam": "λ", "lam_new": "λ_new"}
assume = "every x_n, w_k, λ_k and q_nk is positive; w and each row of q sum to 1"


def sample(rng):
    N, K = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "x": rng.uniform(0.2, 3, size=N),
        "w": rng.dirichlet(np.full(K, 3.0)),
        "lam": rng.uniform(0.4, 2.5, size=K),
        "q": rng.dirichlet(np.ones(K), size=N),
    }


def reference(x, w, lam, q):
    joint = w * lam * np.exp(-np.outer(x, lam))
    return {
        "r": joint / joint.sum(axis=1, keepdims=True),
        "lam_new": q.sum(axis=0) / (x @ q),
    }


right = {
    "r": [
        "g = w * lam * np.exp(-np.outer(x, lam))\nr = g / g.sum(axis=1, keepdims=True)",
        "softmax(np.log(w * lam) - x[:, None] * lam)",
        "g[n,k] = w[k] lam[k] exp(-lam[k] x[n])\nr[n,k] = g[n,k] / (sum_j g[n,j])",
    ],
    "lam_new": [
        "q.sum(axis=0) / (x @ q)",
        "lam_new[k] = (sum_n q[n,k]) / (sum_n q[n,k] x[n])",
        r"lam_new = diag(q^\top x)^{-1} q^\top \mathbf{1}",
    ],
}

wrong = {
    "r": {
        "The rate in front of the exponential differs between components and does not cancel.": (
            "g = w * np.exp(-np.outer(x, lam))\nr = g / g.sum(axis=1, keepdims=True)"
        ),
        "The weights of the components are missing: they are the prior.": (
            "g = lam * np.exp(-np.outer(x, lam))\nr = g / g.sum(axis=1, keepdims=True)"
        ),
        "You normalised over the data. Each data point is divided among the components.": (
            "g = w * lam * np.exp(-np.outer(x, lam))\nr = g / g.sum(axis=0)"
        ),
        "λ is a rate, not a mean: the density is λ exp(-λ x).": (
            "g = w / lam * np.exp(-x[:, None] / lam)\nr = g / g.sum(axis=1, keepdims=True)"
        ),
        "This is the joint density. Divide it by its sum over the components.": (
            "w * lam * np.exp(-np.outer(x, lam))"
        ),
    },
    "lam_new": {
        "This is the weighted mean of the waiting times. The rate is its reciprocal.": (
            "(x @ q) / q.sum(axis=0)"
        ),
        "You counted every data point in full in the numerator. Weight each by its "
        "responsibility.": ("N / (x @ q)"),
        "The mean of 1/x is not the reciprocal of the mean of x.": (
            "(q / x[:, None]).sum(axis=0) / q.sum(axis=0)"
        ),
        "The responsibilities are missing: weight the waiting times for each component.": (
            "np.full(K, N / x.sum())"
        ),
    },
}
