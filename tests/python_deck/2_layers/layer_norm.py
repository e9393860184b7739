"""Layer norm of each row, with gain, shift and an eps that is large enough to matter."""

import numpy as np

answers = {
    "dx": "backward message",
    "dgamma": "parameter message of the gain",
    "dbeta": "parameter message of the shift",
}
sizes = {"N": ("x", 0), "D": ("x", 1)}
symbols = {"gamma": "γ", "beta": "β", "eps": "ε", "mu": "μ", "x_hat": "x̂"}
assume = "ε > 0"
hints = [
    "Along how many paths does an input affect the normalised row? One is direct.",
    "The derivative of s with respect to x_i is x̂_i / D. Derive that first.",
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
    """Mean and standard deviation of every row."""
    mu = x.mean(axis=1)
    v = ((x - mu[:, None]) ** 2).mean(axis=1)
    return mu, np.sqrt(v + eps)


def forward(x, gamma, beta, eps):
    mu, s = statistics(x, eps)
    return {"y": gamma * (x - mu[:, None]) / s[:, None] + beta}


def let(x, gamma, beta, eps):
    mu, s = statistics(x, eps)
    return {"mu": mu, "s": s, "x_hat": (x - mu[:, None]) / s[:, None]}


def without_eps(x, gamma, beta, eps):
    return forward(x, gamma, beta, 0)


def unbiased(x, gamma, beta, eps):
    centred = x - x.mean(axis=1)[:, None]
    v = (centred**2).sum(axis=1) / (x.shape[1] - 1)
    return {"y": gamma * centred / np.sqrt(v + eps)[:, None] + beta}


def rms_norm(x, gamma, beta, eps):
    return {"y": gamma * x / np.sqrt((x**2).mean(axis=1) + eps)[:, None] + beta}


variants = {
    "This is the gradient without ε: your standard deviation leaves it out.": (without_eps),
    "This is the gradient with a variance that divides by D - 1.": unbiased,
    "This is the gradient of RMS norm, which does not subtract the mean.": rms_norm,
}


def row_mean(a):
    return a.mean(axis=1, keepdims=True)


terms = {
    "dx": {
        "the direct term": lambda dy, gamma, s: dy * gamma / s[:, None],
        "the mean's term": lambda dy, gamma, s: -row_mean(dy * gamma) / s[:, None],
        "the standard deviation's term": lambda dy, gamma, s, x_hat: (
            -x_hat * row_mean(dy * gamma * x_hat) / s[:, None]
        ),
    }
}

right = {
    "dx": [
        "g = dy * gamma\n"
        "along = x_hat * (g * x_hat).mean(axis=1, keepdims=True)\n"
        "dx = (g - g.mean(axis=1, keepdims=True) - along) / s[:, None]",
        "g[n,i] = dy[n,i] gamma[i]\n"
        "dx[n,i] = (g[n,i] - mean_j g[n,j] - x_hat[n,i] mean_j g[n,j] x_hat[n,j]) / s[n]",
    ],
    "dgamma": [
        "(dy * x_hat).sum(axis=0)",
        "dgamma[i] = sum_n dy[n,i] x_hat[n,i]",
        r"dgamma = (dy \odot x_hat)^\top \mathbf{1}",
    ],
    "dbeta": ["dy.sum(axis=0)", "dbeta[i] = sum_n dy[n,i]", r"dbeta = dy^\top \mathbf{1}"],
}

wrong = {
    "dx": {
        "The mean and the standard deviation were held fixed. Both depend on every input "
        "of the row.": ("dy * gamma / s[:, None]"),
        "The gain is missing: the message to the normalised input is dy times gamma.": (
            "(dy - dy.mean(axis=1, keepdims=True)"
            " - x_hat * (dy * x_hat).mean(axis=1, keepdims=True)) / s[:, None]"
        ),
        "The means are over the features of a row. You took them over the batch.": (
            "g = dy * gamma\n"
            "dx = (g - g.mean(axis=0) - x_hat * (g * x_hat).mean(axis=0)) / s[:, None]"
        ),
        "The division by the standard deviation s is missing.": (
            "g = dy * gamma\n"
            "along = x_hat * (g * x_hat).mean(axis=1, keepdims=True)\n"
            "dx = g - g.mean(axis=1, keepdims=True) - along"
        ),
    },
    "dgamma": {
        "The gain multiplies the normalised input, not the input itself.": "(dy * x).sum(axis=0)",
        "All rows share the gain: sum over them.": "dy * x_hat",
        "You summed over the features; each feature has a gain of its own.": (
            "(dy * x_hat).sum(axis=1)"
        ),
    },
    "dbeta": {
        "All rows share the shift: sum over them.": "dy",
        "You multiplied by the gain. The shift is added after it, with slope "
        "1.": "(dy * gamma).sum(axis=0)",
        "You took the mean over the batch. The chain rule sums.": "dy.mean(axis=0)",
    },
}
