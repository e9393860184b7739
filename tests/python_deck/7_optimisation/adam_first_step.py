"""Adam's first update as a function of the gradient; eps is large enough to matter."""

import numpy as np

answers = {"du_dg": "local derivative", "dg": "backward message"}
sizes = {"D": ("g", 0)}
symbols = {"beta_1": "β_1", "beta_2": "β_2", "eta": "η", "eps": "ε"}
assume = "ε > 0, and no g_i is 0"
hints = ["Substitute m̂ and v̂ into the update before you differentiate. What is left of the β?"]


def sample(rng):
    """Gradients of both signs, none of them near 0."""
    D = rng.integers(3, 8)
    signs = np.where(rng.permutation(D) % 2, 1, -1)
    return {
        "g": signs * rng.uniform(0.2, 1.5, size=D),
        "beta_1": rng.uniform(0.3, 0.9),
        "beta_2": rng.uniform(0.3, 0.9),
        "eta": rng.uniform(0.3, 0.9),
        "eps": rng.uniform(0.2, 0.6),
    }


def update(g, eta, eps, first, second):
    """The step for a first average of first * g and a second one of second * g²."""
    return {"u": -eta * first * g / (np.sqrt(second * g**2) + eps)}


def forward(g, beta_1, beta_2, eta, eps):
    m = (1 - beta_1) * g
    v = (1 - beta_2) * g**2
    return {"u": -eta * (m / (1 - beta_1)) / (np.sqrt(v / (1 - beta_2)) + eps)}


def let(g, beta_1, beta_2):
    """The averages, and what their correction makes of them."""
    m, v = (1 - beta_1) * g, (1 - beta_2) * g**2
    return {"m": m, "v": v, "m_hat": m / (1 - beta_1), "v_hat": v / (1 - beta_2)}


def uncorrected(g, beta_1, beta_2, eta, eps):
    return update(g, eta, eps, 1 - beta_1, 1 - beta_2)


def eps_under_the_root(g, beta_1, beta_2, eta, eps):
    return {"u": -eta * g / np.sqrt(g**2 + eps)}


variants = {
    "This is the gradient without the bias correction, which makes up for the averages "
    "starting at 0.": (uncorrected),
    "This is the gradient with ε under the root. In Adam, it is added to the root.": (
        eps_under_the_root
    ),
}

terms = {
    "dg": {
        "the term of the numerator": lambda du, g, eta, eps: -eta * du / (abs(g) + eps),
        "the term of the denominator": lambda du, g, eta, eps: (
            eta * du * abs(g) / (abs(g) + eps) ** 2
        ),
    }
}

right = {
    "du_dg": [
        "np.diag(-eta * eps / (np.abs(g) + eps) ** 2)",
        "du_dg[i,j] = -[i=j] eta eps / (abs(g[i]) + eps)^2",
        r"du_dg = -\eta \varepsilon (diag(abs(g)) + \varepsilon I)^{-2}",
    ],
    "dg": [
        "-eta * eps * du / (np.abs(g) + eps) ** 2",
        "dg[i] = -eta eps du[i] / (abs(g[i]) + eps)^2",
        r"dg = -\eta \varepsilon (diag(abs(g)) + \varepsilon I)^{-2} du",
    ],
}

wrong = {
    "du_dg": {
        "You held the denominator fixed. It depends on the gradient too.": (
            "np.diag(-eta / (np.abs(g) + eps))"
        ),
        "The sign is flipped: the update goes against the gradient.": (
            "np.diag(eta * eps / (np.abs(g) + eps) ** 2)"
        ),
        "The derivative of |g| is the sign of g; without it, the two terms do not cancel for g "
        "< 0.": ("np.diag(-eta * (np.abs(g) + eps - g) / (np.abs(g) + eps) ** 2)"),
        "The factor ε is missing: it is all that remains of the numerator in the quotient rule.": (
            "np.diag(-eta / (np.abs(g) + eps) ** 2)"
        ),
    },
    "dg": {
        "You held the denominator fixed. It depends on the gradient too.": (
            "-eta * du / (np.abs(g) + eps)"
        ),
        "This is the local slope. Multiply it by the upstream.": (
            "-eta * eps / (np.abs(g) + eps) ** 2"
        ),
        "The sign is flipped: the update goes against the gradient.": (
            "eta * eps * du / (np.abs(g) + eps) ** 2"
        ),
        "You kept a factor of 1 - β_1. It cancels: m̂ is g.": (
            "-(1 - beta_1) * eta * eps * du / (np.abs(g) + eps) ** 2"
        ),
        "The root of v̂ is |g|, not g: your denominator is wrong for negative gradients.": (
            "-eta * eps * du / (g + eps) ** 2"
        ),
    },
}
