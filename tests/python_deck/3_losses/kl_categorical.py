"""The Kullback-Leibler divergence of two categorical distributions that are given by logits."""

import numpy as np

answers = {
    "dL_db": "gradient with respect to the logits of q",
    "dL_da": "gradient with respect to the logits of p",
}
sizes = {"K": ("a", 0)}


def sample(rng):
    K = rng.integers(3, 8)
    return {"a": rng.standard_normal(K), "b": rng.standard_normal(K)}


def softmax(z):
    e = np.exp(z)
    return e / e.sum()


def let(a, b):
    return {"p": softmax(a), "q": softmax(b)}


def forward(a, b):
    p, q = softmax(a), softmax(b)
    return {"L": (p * np.log(p / q)).sum()}


def other_direction(a, b):
    return forward(b, a)


variants = {"This is the gradient of KL(q‖p), the other direction.": other_direction}

terms = {
    "dL_da": {
        "the log-ratio": lambda p, q: p * np.log(p / q),
        "the mean of the log-ratios, that is L": lambda p, L: -p * L,
    }
}

right = {
    "dL_db": [
        "q - p",
        "dL_db[j] = q[j] - p[j]",
        r"\mathrm{softmax}(b) - \mathrm{softmax}(a)",
    ],
    "dL_da": [
        "p * (np.log(p / q) - L)",
        "dL_da[j] = p[j] (log(p[j] / q[j]) - sum_k p[k] log(p[k] / q[k]))",
        r"dL_da = p \odot (\log(p) - \log(q) - L \mathbf{1})",
        r"(diag(p) - p p^\top) (\log(p) - \log(q))",
    ],
}

wrong = {
    "dL_db": {
        "The sign is flipped: where q is larger than p, its logit has to go down.": "p - q",
        "This is the derivative with respect to the probabilities q. It still has to pass "
        "through the softmax.": ("-p / q"),
        "The derivative of the log-sum-exp is missing: it adds q.": "-p",
        "You used only the diagonal of the Jacobian of the softmax. Each logit affects every q.": (
            "-p * (1 - q)"
        ),
        "This is the gradient with respect to the logits of p. In this part, p is fixed and q "
        "varies.": "p * (np.log(p / q) - L)",
    },
    "dL_da": {
        "The other probabilities change as well: subtract the mean of the log-ratios.": (
            "p * np.log(p / q)"
        ),
        "This is the derivative with respect to the probabilities p. It still has to pass "
        "through the softmax.": ("np.log(p / q) + 1"),
        "The 1 from p log p cancels with its own mean: a softmax removes a constant from "
        "the message.": ("p * (np.log(p / q) + 1 - L)"),
        "The mean has to be weighted by p: it is L.": (
            "p * (np.log(p / q) - np.mean(np.log(p / q)))"
        ),
        "This is the gradient of the cross-entropy alone: p log p depends on a too.": (
            "p * (-np.log(q) + np.sum(p * np.log(q)))"
        ),
        "The factor p in front is missing.": "np.log(p / q) - L",
        "The difference of the distributions belongs to the second argument. The first also "
        "appears in front of the logarithm.": "p - q",
    },
}
