"""Clipping a gradient by its norm, on the side where it is clipped."""

import numpy as np

answers = {"dy_dg": "local derivative", "dg": "backward message"}
sizes = {"D": ("g", 0)}
symbols = {"tau": "τ"}
assume = "‖g‖ > τ: the gradient is clipped"
hints = ["On this side the clip is a division by the length. Does the length depend on g?"]


def sample(rng):
    """A gradient that is well beyond the largest length allowed."""
    g = rng.standard_normal(rng.integers(3, 8))
    g = g * rng.uniform(1.5, 4) / np.sqrt((g**2).sum())
    return {"g": g, "tau": rng.uniform(0.3, 0.7)}


def length(g):
    return np.sqrt((g**2).sum())


def let(g):
    return {"r": length(g)}


def forward(g, tau):
    return {"y": g * np.minimum(1, tau / length(g))}


def element_by_element(g, tau):
    return {"y": np.clip(g, -tau, tau)}


def to_length_one(g, tau):
    return {"y": g / length(g)}


def unclipped(g, tau):
    return {"y": 1 * g}


variants = {
    "This is the gradient of elementwise clipping.": element_by_element,
    "This is the gradient of scaling to length 1. On this card, the length is τ.": to_length_one,
    "This is right if nothing is clipped. On this card, the gradient is longer than τ.": unclipped,
}

terms = {
    "dg": {
        "the term of the direct way": lambda dy, tau, r: tau / r * dy,
        "the term of the length": lambda dy, g, tau, r: -tau / r**3 * (g @ dy) * g,
    }
}

right = {
    "dy_dg": [
        "tau / r * (np.eye(D) - np.outer(g, g) / r**2)",
        "dy_dg[i,j] = (tau / r) ([i=j] - g[i] g[j] / r^2)",
        r"dy_dg = \frac{\tau}{r} (I - \frac{1}{r^2} g g^\top)",
    ],
    "dg": [
        "tau / r * (dy - (g @ dy) * g / r**2)",
        "(dy - y * (y @ dy) / tau**2) * tau / np.sqrt((g**2).sum())",
        "dg[j] = (tau / r) (dy[j] - g[j] sum_i g[i] dy[i] / r^2)",
        r"dg = \frac{\tau}{\|g\|} (I - \frac{g g^\top}{g^\top g}) dy",
    ],
}

wrong = {
    "dy_dg": {
        "You held the length fixed. It depends on every element.": "tau / r * np.eye(D)",
        "You used only the diagonal. Each element affects the length, and so every output.": (
            "tau / r * np.diag(1 - g**2 / r**2)"
        ),
        "The vector in the projection must have length 1: divide by r².": (
            "tau / r * (np.eye(D) - np.outer(g, g))"
        ),
        "The factor in front is missing: the gradient is scaled by τ / r.": (
            "np.eye(D) - np.outer(g, g) / r**2"
        ),
        "The slope of the length is g / r. You took g, so a factor of 1/r is missing from the "
        "second term.": ("tau * (np.eye(D) / r - np.outer(g, g) / r**2)"),
    },
    "dg": {
        "You held the length fixed. It depends on every element.": "tau / r * dy",
        "You used only the diagonal of the Jacobian. Each element affects all outputs.": (
            "tau / r * dy * (1 - g**2 / r**2)"
        ),
        "The factor in front is missing: the gradient is scaled by τ / r.": (
            "dy - (g @ dy) * g / r**2"
        ),
        "The sign of the term from the length is flipped.": (
            "tau / r * (dy + (g @ dy) * g / r**2)"
        ),
    },
}
