"""The softmax: its Jacobian and its backward message."""

import numpy as np

answers = {"dp_dz": "local derivative", "dz": "backward message"}
sizes = {"K": ("z", 0)}


def sample(rng):
    return {"z": rng.standard_normal(rng.integers(3, 8))}


def forward(z):
    """p[k] = exp(z[k]) over the sum of all exp(z[j])."""
    e = np.exp(z)
    return {"p": e / e.sum()}


def reference(p, dp):
    return {"dp_dz": np.diag(p) - np.outer(p, p), "dz": p * (dp - (dp * p).sum())}


terms = {
    "dp_dz": {
        "the diagonal term": lambda p: np.diag(p),
        "the outer product": lambda p: -np.outer(p, p),
    },
    "dz": {
        "the term of the own upstream": lambda p, dp: p * dp,
        "the weighted average of the upstreams": lambda p, dp: -p * (dp * p).sum(),
    },
}

right = {
    "dp_dz": [
        "np.diag(p) - np.outer(p, p)",
        "dp_dz[k,j] = p[k] ([k=j] - p[j])",
        "dp_dz = diag(p) - p p^T",
    ],
    "dz": [
        "p * (dp - (dp * p).sum())",
        "dz[j] = p[j] (dp[j] - sum_k dp[k] p[k])",
        "dz = (diag(p) - p p^T) dp",
    ],
}

wrong = {
    "dp_dz": {
        "This is only the diagonal. Every logit affects every probability: they share the "
        "denominator.": "np.diag(p * (1 - p))",
        "The denominator was held fixed. It depends on all logits too.": "np.diag(p)",
        "The sign is flipped: raising a logit raises its own probability.": (
            "np.outer(p, p) - np.diag(p)"
        ),
        "The second factor is a probability, not a logit.": "np.diag(p) - np.outer(p, z)",
    },
    "dz": {
        "You used only the diagonal of the Jacobian. The other outputs send messages as well.": (
            "dp * p * (1 - p)"
        ),
        "The average of the upstreams has to be weighted by the probabilities.": (
            "p * (dp - dp.mean())"
        ),
        "The factor p in front is missing.": "dp - (dp * p).sum()",
    },
}
