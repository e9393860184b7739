"""The logarithm of a softmax, for each row."""

import numpy as np

answers = {"dz": "backward message"}
sizes = {"N": ("z", 0), "K": ("z", 1)}
hints = ["Every output of a row contains the same logarithm. What is its derivative?"]


def sample(rng):
    N, K = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {"z": rng.standard_normal((N, K))}


def forward(z):
    """y[n, k] = z[n, k] minus the logarithm of the sum of exp(z[n, j]) over j."""
    return {"y": z - np.log(np.exp(z).sum(axis=1, keepdims=True))}


def let(z):
    e = np.exp(z)
    return {"p": e / e.sum(axis=1, keepdims=True)}


def over_columns(z):
    return {"y": z - np.log(np.exp(z).sum(axis=0))}


variants = {"This is the gradient of a log-softmax over the columns.": over_columns}

terms = {
    "dz": {
        "the direct term": lambda dy: dy,
        "the term of the logarithm": lambda dy, p: -p * dy.sum(axis=1, keepdims=True),
    }
}

right = {
    "dz": [
        "dy - p * dy.sum(axis=1, keepdims=True)",
        "dy - np.exp(y) * dy.sum(axis=1)[:, None]",
        "dz[n,k] = dy[n,k] - p[n,k] sum_j dy[n,j]",
        r"dz = dy - diag(dy \mathbf{1}) p",
    ]
}

wrong = {
    "dz": {
        "The sum of the upstreams is missing. It multiplies p, and you cannot assume that it "
        "is 1.": "dy - p",
        "This is the message of the softmax itself. The layer returns the logarithm of the "
        "softmax.": ("p * (dy - (dy * p).sum(axis=1, keepdims=True))"),
        "You used only the diagonal of the local derivative. Each logit affects all outputs "
        "in its row.": ("dy * (1 - p)"),
        "You summed over the batch. The outputs that share a logarithm are those of one row.": (
            "dy - p * dy.sum(axis=0)"
        ),
        "The factor is a probability, exp(y). You used its logarithm.": (
            "dy - y * dy.sum(axis=1, keepdims=True)"
        ),
        "You took the mean of the upstreams in the row. The chain rule sums them.": (
            "dy - p * dy.mean(axis=1, keepdims=True)"
        ),
    }
}
