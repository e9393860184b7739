"""The triplet loss with squared distances, averaged over the triplets."""

import numpy as np

answers = {
    "dL_da": "gradient with respect to the anchors",
    "dL_dp": "gradient with respect to the positives",
    "dL_dq": "gradient with respect to the negatives",
}
sizes = {"N": ("a", 0), "D": ("a", 1)}
assume = "m > 0, and no triplet meets its margin exactly"
hints = ["Which triplets send a message at all? Multiply by g to select them."]


def sample(rng):
    """Triplets that just meet the margin, just miss it, or miss it by far; the margin is not 1."""
    N, D = rng.choice([4, 5, 6, 7], size=2, replace=False)
    a, p = rng.standard_normal((N, D)), rng.standard_normal((N, D))
    m = rng.choice([0.4, 2]) * rng.uniform(0.8, 1.2)
    to_positive = ((a - p) ** 2).sum(axis=1)
    kind = rng.permutation(N) % 4
    lead = m * np.where(kind == 1, rng.uniform(0.7, 0.9, N), rng.uniform(1.1, 1.4, N))
    nearer = to_positive * rng.uniform(0.3, 0.8, N)
    to_negative = np.where(kind == 3, nearer, to_positive + lead)
    direction = rng.standard_normal((N, D))
    direction /= np.sqrt((direction**2).sum(axis=1, keepdims=True))
    return {"a": a, "p": p, "q": a + direction * np.sqrt(to_negative)[:, None], "m": m}


def missed(a, p, q, m):
    return ((a - p) ** 2).sum(axis=1) - ((a - q) ** 2).sum(axis=1) + m


def let(a, p, q, m):
    u = missed(a, p, q, m)
    return {"u": u, "g": 1.0 * (u > 0)}


def forward(a, p, q, m):
    return {"L": np.maximum(0, missed(a, p, q, m)).mean()}


def distance(x, y):
    return np.sqrt(((x - y) ** 2).sum(axis=1))


def without_squares(a, p, q, m):
    return {"L": np.maximum(0, distance(a, p) - distance(a, q) + m).mean()}


variants = {
    "This is the gradient for plain distances. On this card, the distances are squared.": (
        without_squares
    ),
}

right = {
    "dL_da": [
        "2 / N * g[:, None] * (q - p)",
        "dL_da[n,i] = (2/N) g[n] (q[n,i] - p[n,i])",
        r"\frac{2}{N} diag(g) (q - p)",
    ],
    "dL_dp": [
        "2 / N * g[:, None] * (p - a)",
        "dL_dp[n,i] = (2/N) g[n] (p[n,i] - a[n,i])",
        r"\frac{2}{N} diag(g) (p - a)",
    ],
    "dL_dq": [
        "2 / N * g[:, None] * (a - q)",
        "dL_dq[n,i] = (2/N) g[n] (a[n,i] - q[n,i])",
        r"\frac{2}{N} diag(g) (a - q)",
    ],
}

wrong = {
    "dL_da": {
        "Triplets that meet the margin send no message: multiply by g.": "2 / N * (q - p)",
        "The anchor also appears in the distance to the negative.": "2 / N * g[:, None] * (a - p)",
        "The sign is flipped: descent must move the anchor in the direction of p - q.": (
            "2 / N * g[:, None] * (p - q)"
        ),
        "The 2 from the squares is missing.": "g[:, None] * (q - p) / N",
        "The loss is a mean over the triplets: divide by N.": "2 * g[:, None] * (q - p)",
        "The second square is subtracted. You added it.": "2 / N * g[:, None] * (2 * a - p - q)",
    },
    "dL_dp": {
        "Triplets that meet the margin send no message: multiply by g.": "2 / N * (p - a)",
        "The inner derivative of a - p with respect to p is -1.": "2 / N * g[:, None] * (a - p)",
        "The 2 from the square is missing.": "g[:, None] * (p - a) / N",
        "The loss is a mean over the triplets: divide by N.": "2 * g[:, None] * (p - a)",
        "The positive does not appear in the distance to the negative.": (
            "2 / N * g[:, None] * (p - q)"
        ),
    },
    "dL_dq": {
        "Triplets that meet the margin send no message: multiply by g.": "2 / N * (a - q)",
        "Two minus signs cancel: the square is subtracted, and the inner derivative is -1.": (
            "2 / N * g[:, None] * (q - a)"
        ),
        "The 2 from the square is missing.": "g[:, None] * (a - q) / N",
        "The loss is a mean over the triplets: divide by N.": "2 * g[:, None] * (a - q)",
        "The negative does not appear in the distance to the positive.": (
            "2 / N * g[:, None] * (p - q)"
        ),
    },
}
