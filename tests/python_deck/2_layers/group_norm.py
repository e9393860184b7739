"""Group norm of one example: statistics for each group, gain and shift for each channel."""

import numpy as np

answers = {"dx": "backward message", "dgamma": "parameter message of the gain"}
sizes = {"G": ("x", 0), "M": ("x", 1), "P": ("x", 2)}
symbols = {"gamma": "γ", "beta": "β", "eps": "ε", "mu": "μ", "x_hat": "x̂"}
assume = "ε > 0"
hints = [
    "Which values share a mean? Which share a gain? The two answers differ.",
    "The derivative of s with respect to an input is x̂ divided by the size of the group. "
    "Derive that first.",
]


def sample(rng):
    G, M, P = rng.choice([2, 3, 4], size=3, replace=False)
    return {
        "x": rng.standard_normal((G, M, P)),
        "gamma": rng.standard_normal((G, M)),
        "beta": rng.standard_normal((G, M)),
        "eps": rng.uniform(0.05, 0.5),
    }


def normalised(x, eps, axes):
    """Standard deviation over some axes, and the input normalised over them."""
    centred = x - x.mean(axis=axes, keepdims=True)
    s = np.sqrt((centred**2).mean(axis=axes, keepdims=True) + eps)
    return s, centred / s


def scaled(x_hat, gamma, beta):
    return {"y": gamma[:, :, None] * x_hat + beta[:, :, None]}


def forward(x, gamma, beta, eps):
    _, x_hat = normalised(x, eps, axes=(1, 2))
    return scaled(x_hat, gamma, beta)


def let(x, gamma, beta, eps):
    s, x_hat = normalised(x, eps, axes=(1, 2))
    return {"mu": x.mean(axis=(1, 2)), "s": s[:, 0, 0], "x_hat": x_hat}


def without_eps(x, gamma, beta, eps):
    return forward(x, gamma, beta, 0)


def instance_norm(x, gamma, beta, eps):
    _, x_hat = normalised(x, eps, axes=2)
    return scaled(x_hat, gamma, beta)


def one_group(x, gamma, beta, eps):
    _, x_hat = normalised(x, eps, axes=(0, 1, 2))
    return scaled(x_hat, gamma, beta)


variants = {
    "This is the gradient without ε: your standard deviation leaves it out.": (without_eps),
    "This is the gradient of instance norm: your statistics are those of one channel, not of "
    "a group.": instance_norm,
    "This is the gradient for a single group of all channels, which is layer norm.": one_group,
}


def group_mean(a):
    return a.mean(axis=(1, 2), keepdims=True)


def divided(h, s):
    return h / s[:, None, None]


terms = {
    "dx": {
        "the direct term": lambda dy, gamma, s: divided(dy * gamma[:, :, None], s),
        "the mean's term": lambda dy, gamma, s: divided(
            -group_mean(dy * gamma[:, :, None]) + 0 * dy, s
        ),
        "the standard deviation's term": lambda dy, gamma, s, x_hat: divided(
            -x_hat * group_mean(dy * gamma[:, :, None] * x_hat), s
        ),
    }
}

right = {
    "dx": [
        "h = gamma[:, :, None] * dy\n"
        "along = x_hat * (h * x_hat).mean(axis=(1, 2), keepdims=True)\n"
        "dx = (h - h.mean(axis=(1, 2), keepdims=True) - along) / s[:, None, None]",
        "h[g,m,p] = gamma[g,m] dy[g,m,p]\n"
        "dx[g,m,p] = (h[g,m,p] - mean(k,q) h[g,k,q]"
        " - x_hat[g,m,p] mean(k,q) h[g,k,q] x_hat[g,k,q]) / s[g]",
    ],
    "dgamma": [
        "(dy * x_hat).sum(axis=2)",
        "dgamma[g,m] = sum_p dy[g,m,p] x_hat[g,m,p]",
    ],
}

wrong = {
    "dx": {
        "The mean and the standard deviation were held fixed. Both depend on every value "
        "in the group.": ("gamma[:, :, None] * dy / s[:, None, None]"),
        "The gain differs between the channels of a group. Apply it before the means are taken.": (
            "along = x_hat * (dy * x_hat).mean(axis=(1, 2), keepdims=True)\n"
            "inner = dy - dy.mean(axis=(1, 2), keepdims=True) - along\n"
            "dx = gamma[:, :, None] * inner / s[:, None, None]"
        ),
        "The gain is missing: the message to the normalised input is dy times gamma.": (
            "along = x_hat * (dy * x_hat).mean(axis=(1, 2), keepdims=True)\n"
            "dx = (dy - dy.mean(axis=(1, 2), keepdims=True) - along) / s[:, None, None]"
        ),
        "Your means run only over the pixels of a channel. All channels of a group share them.": (
            "h = gamma[:, :, None] * dy\n"
            "along = x_hat * (h * x_hat).mean(axis=2, keepdims=True)\n"
            "dx = (h - h.mean(axis=2, keepdims=True) - along) / s[:, None, None]"
        ),
    },
    "dgamma": {
        "The gain multiplies the normalised input, not the input itself.": "(dy * x).sum(axis=2)",
        "All pixels of a channel share the gain: sum over them.": "dy * x_hat",
        "A group shares its statistics, not its gain: each channel has its own.": (
            "(dy * x_hat).sum(axis=(1, 2))"
        ),
        "You took the mean over the pixels. The chain rule sums.": "(dy * x_hat).mean(axis=2)",
    },
}
