"""Mean cross-entropy of a softmax with smoothed labels."""

import numpy as np

answers = {"dL_dZ": "gradient with respect to the logits"}
sizes = {"N": ("Z", 0), "K": ("Z", 1)}
symbols = {"eps": "ε", "Z": "z", "P": "p"}
assume = "0 < ε < 1"


def sample(rng):
    N, K = rng.choice([3, 4, 5, 6], size=2, replace=False)
    return {
        "Z": rng.standard_normal((N, K)),
        "t": rng.integers(0, K, size=N),
        "eps": rng.uniform(0.1, 0.4),
    }


def softmax(Z):
    e = np.exp(Z)
    return e / e.sum(axis=1, keepdims=True)


def one_hot(t, K):
    return 1.0 * (np.arange(K) == t[:, None])


def cross_entropy(Z, Q):
    return -(Q * np.log(softmax(Z))).sum() / Z.shape[0]


def forward(Z, t, eps):
    K = Z.shape[1]
    return {"L": cross_entropy(Z, (1 - eps) * one_hot(t, K) + eps / K)}


def let(Z, t, eps):
    return {"P": softmax(Z), "T": one_hot(t, Z.shape[1])}


def spread_over_the_others(Z, t, eps):
    K = Z.shape[1]
    T = one_hot(t, K)
    return {"L": cross_entropy(Z, (1 - eps) * T + eps / (K - 1) * (1 - T))}


variants = {
    "This is the gradient if ε is spread over the K - 1 other classes. On this card, it is "
    "spread over all K.": (spread_over_the_others),
}

terms = {
    "dL_dZ": {
        "the prediction": lambda P: P / len(P),
        "the label": lambda T, eps: -(1 - eps) * T / len(T),
        "the uniform part of the target": lambda P, eps: -eps / P.size * np.ones(P.shape),
    }
}

right = {
    "dL_dZ": [
        "(P - (1 - eps) * T - eps / K) / N",
        "dL_dZ[n,k] = 1/N (P[n,k] - (1 - eps) [k = t[n]] - eps/K)",
        r"\frac{1}{N} (P - (1 - eps) T - \frac{eps}{K} \mathbf{1} \mathbf{1}^\top)",
    ]
}

wrong = {
    "dL_dZ": {
        "This is the gradient without smoothing: the target is (1 - ε) T + ε / K.": "(P - T) / N",
        "The uniform part has the weight ε / K in every class, not ε.": (
            "(P - (1 - eps) * T - eps) / N"
        ),
        "You gave the label its full weight. With smoothing, its weight is only 1 - ε.": (
            "(P - T - eps / K) / N"
        ),
        "The uniform part of the target is missing.": "(P - (1 - eps) * T) / N",
        "The sign is flipped: this is the gradient of -L.": "((1 - eps) * T + eps / K - P) / N",
        "The loss is a mean over the batch: divide by N.": "P - (1 - eps) * T - eps / K",
        "You divided by K too. The cross-entropy sums over the classes.": (
            "(P - (1 - eps) * T - eps / K) / (N * K)"
        ),
    }
}
