"""Batch norm in training mode, each feature over the batch; eps is large enough to matter."""

import numpy as np

answers = {
    "dx": "backward message",
    "dgamma": "parameter message of the gain",
    "dbeta": "parameter message of the shift",
}
sizes = {"N": ("x", 0), "D": ("x", 1)}
symbols = {"gamma": "γ", "beta": "β", "eps": "ε", "mu": "μ", "x_hat": "x̂"}
assume = "training mode: mean and variance are those of the batch; ε > 0"
hints = [
    "Along how many paths does one example affect the normalised column? One is direct.",
    "The derivative of s with respect to x_n is x̂_n / N. Derive that first.",
]


def sample(rng):
    N, D = rng.choice([2, 3, 4, 5, 6], size=2, replace=False) + 1
    return {
        "x": rng.standard_normal((N, D)),
        "gamma": rng.standard_normal(D),
        "beta": rng.standard_normal(D),
        "eps": rng.uniform(0.05, 0.5),
    }


def statistics(x, eps):
    """Mean and standard deviation of every column."""
    mu = x.mean(axis=0)
    return mu, np.sqrt(((x - mu) ** 2).mean(axis=0) + eps)


def forward(x, gamma, beta, eps):
    mu, s = statistics(x, eps)
    return {"y": gamma * (x - mu) / s + beta}


def let(x, gamma, beta, eps):
    mu, s = statistics(x, eps)
    return {"mu": mu, "v": s**2 - eps, "s": s, "x_hat": (x - mu) / s}


def without_eps(x, gamma, beta, eps):
    return forward(x, gamma, beta, 0)


def unbiased(x, gamma, beta, eps):
    centred = x - x.mean(axis=0)
    v = (centred**2).sum(axis=0) / (x.shape[0] - 1)
    return {"y": gamma * centred / np.sqrt(v + eps) + beta}


def layer_norm(x, gamma, beta, eps):
    centred = x - x.mean(axis=1, keepdims=True)
    v = (centred**2).mean(axis=1, keepdims=True)
    return {"y": gamma * centred / np.sqrt(v + eps) + beta}


variants = {
    "This is the gradient without ε: your standard deviation leaves it out.": (without_eps),
    "This is the gradient with a variance that divides by N - 1.": unbiased,
    "This is the gradient of layer norm, whose means run over the features.": layer_norm,
}

terms = {
    "dx": {
        "the direct term": lambda dy, gamma, s: gamma / s * dy,
        "the mean's term": lambda dy, gamma, s: -gamma / s * (0 * dy + dy.mean(axis=0)),
        "the standard deviation's term": lambda dy, gamma, s, x_hat: (
            -gamma / s * x_hat * (dy * x_hat).mean(axis=0)
        ),
    }
}

right = {
    "dx": [
        "gamma / s * (dy - dy.mean(axis=0) - x_hat * (dy * x_hat).mean(axis=0))",
        "dx[n,i] = gamma[i] (dy[n,i] - mean_m dy[m,i]"
        " - x_hat[n,i] mean_m dy[m,i] x_hat[m,i]) / s[i]",
        "dgamma = (dy * x_hat).sum(axis=0)\n"
        "dbeta = dy.sum(axis=0)\n"
        "dx = gamma / (N * s) * (N * dy - dbeta - x_hat * dgamma)",
    ],
    "dgamma": [
        "(dy * x_hat).sum(axis=0)",
        "dgamma[i] = sum_n dy[n,i] x_hat[n,i]",
        r"dgamma = (dy \odot \hat{x})^\top \mathbf{1}",
    ],
    "dbeta": ["dy.sum(axis=0)", "dbeta[i] = sum_n dy[n,i]", r"dbeta = dy^\top \mathbf{1}"],
}

wrong = {
    "dx": {
        "The mean and the standard deviation were held fixed, as in test mode. In "
        "training both depend on every example.": "dy * gamma / s",
        "The standard deviation was held fixed. It depends on every example too.": (
            "gamma / s * (dy - dy.mean(axis=0))"
        ),
        "The gain is missing: the message to the normalised input is dy times gamma.": (
            "(dy - dy.mean(axis=0) - x_hat * (dy * x_hat).mean(axis=0)) / s"
        ),
        "The means are over the batch. You took them over the features of an example.": (
            "gamma / s * (dy - dy.mean(axis=1, keepdims=True)"
            " - x_hat * (dy * x_hat).mean(axis=1, keepdims=True))"
        ),
        "You took sums over the batch: the factor 1/N from the mean and the variance is missing.": (
            "gamma / s * (dy - dy.sum(axis=0) - x_hat * (dy * x_hat).sum(axis=0))"
        ),
    },
    "dgamma": {
        "The gain multiplies the normalised input, not the input itself.": "(dy * x).sum(axis=0)",
        "All examples share the gain: sum over the batch.": "dy * x_hat",
        "You took the mean over the batch. The chain rule sums.": "(dy * x_hat).mean(axis=0)",
        "You summed over the features; each feature has a gain of its own.": (
            "(dy * x_hat).sum(axis=1)"
        ),
    },
    "dbeta": {
        "All examples share the shift: sum over the batch.": "dy",
        "You multiplied by the gain. The shift is added after it, with slope "
        "1.": "(dy * gamma).sum(axis=0)",
        "You took the mean over the batch. The chain rule sums.": "dy.mean(axis=0)",
    },
}
