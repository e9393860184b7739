"""RMS norm of a vector with a gain, and an eps that is large enough to matter."""

import numpy as np

answers = {"dx": "backward message", "dgamma": "parameter message of the gain"}
sizes = {"D": ("x", 0)}
symbols = {"gamma": "γ", "eps": "ε", "x_hat": "x̂"}
assume = "ε > 0"
hints = ["How does r depend on the input? Find its derivative first."]


def sample(rng):
    D = rng.integers(3, 8)
    return {
        "x": rng.standard_normal(D),
        "gamma": rng.standard_normal(D),
        "eps": rng.uniform(0.05, 0.5),
    }


def root_mean_square(x, eps):
    return np.sqrt((x**2).mean() + eps)


def forward(x, gamma, eps):
    return {"y": gamma * x / root_mean_square(x, eps)}


def let(x, gamma, eps):
    r = root_mean_square(x, eps)
    return {"r": r, "x_hat": x / r}


def without_eps(x, gamma, eps):
    return forward(x, gamma, 0)


def layer_norm(x, gamma, eps):
    return forward(x - x.mean(), gamma, eps)


def length(x, gamma, eps):
    return {"y": gamma * x / np.sqrt((x**2).sum() + eps)}


variants = {
    "This is the gradient without ε: your root mean square leaves it out.": (without_eps),
    "This is the gradient of layer norm. RMS norm subtracts no mean.": layer_norm,
    "Your r is the length of x. This layer divides by the root of the mean square.": length,
}

terms = {
    "dx": {
        "the direct term": lambda dy, gamma, r: dy * gamma / r,
        "the root mean square's term": lambda dy, gamma, r, x_hat: (
            -x_hat * (dy * gamma * x_hat).mean() / r
        ),
    }
}

right = {
    "dx": [
        "g = dy * gamma\ndx = (g - x_hat * (g * x_hat).mean()) / r",
        "g = dy * gamma\ndx = g / r - x * (g @ x) / (D * r**3)",
        "dx[i] = (gamma[i] dy[i] - x_hat[i] mean_j gamma[j] dy[j] x_hat[j]) / r",
        r"dx = \frac{1}{r} (I - \frac{1}{D} \hat{x} \hat{x}^\top) (\gamma \odot dy)",
    ],
    "dgamma": ["dy * x_hat", "dgamma[i] = dy[i] x_hat[i]", r"dgamma = dy \odot \hat{x}"],
}

wrong = {
    "dx": {
        "The root mean square was held fixed. It depends on every input.": "dy * gamma / r",
        "The gain is missing: the message to the normalised input is dy times gamma.": (
            "(dy - x_hat * (dy * x_hat).mean()) / r"
        ),
        "You took a sum instead of a mean: the 1/D of the mean square is missing.": (
            "g = dy * gamma\ndx = (g - x_hat * (g * x_hat).sum()) / r"
        ),
        "You used only the diagonal of the Jacobian. Each input affects all outputs.": (
            "dy * gamma * (1 - x_hat**2 / D) / r"
        ),
        "The factor 1/r in front is missing.": (
            "g = dy * gamma\ndx = g - x_hat * (g * x_hat).mean()"
        ),
        "The gain comes after the division, so it belongs inside, with the upstream.": (
            "gamma * (dy - x_hat * (dy * x_hat).mean()) / r"
        ),
    },
    "dgamma": {
        "The gain multiplies the normalised input, not the input itself.": "dy * x",
        "Each component has a gain of its own: there is no sum here.": "(dy * x_hat).sum()",
        "This is the derivative of the output alone. Multiply it by the upstream.": "x_hat",
    },
}
