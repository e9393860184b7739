"""The SiLU (swish): every component times its own sigmoid."""

import numpy as np

answers = {"dx": "backward message"}
sizes = {"D": ("x", 0)}


def sample(rng):
    return {"x": 1.5 * rng.standard_normal(rng.integers(4, 9))}


def gate(x):
    return 1 / (1 + np.exp(-x))


def let(x):
    return {"s": gate(x)}


def forward(x):
    """y[i] = x[i] sigmoid(x[i])."""
    return {"y": x * gate(x)}


terms = {
    "dx": {
        "the gate": lambda dy, s: dy * s,
        "the slope of the gate": lambda dy, x, s: dy * x * s * (1 - s),
    }
}

right = {
    "dx": [
        "dy * (s + x * s * (1 - s))",
        "dy * (y + s * (1 - y))",
        "dx[i] = dy[i] (s[i] + y[i] (1 - s[i]))",
        r"dx = dy \odot (s + y \odot (\mathbf{1} - s))",
        "dx[i] = dy[i] σ(x[i]) (1 + x[i] (1 - σ(x[i])))",
    ]
}

wrong = {
    "dx": {
        "The gate was held fixed. It depends on x: the product rule has a second term.": "dy * s",
        "The first term of the product rule is missing: it is the gate itself.": (
            "dy * x * s * (1 - s)"
        ),
        "This is the slope of the sigmoid alone. The layer is x times the sigmoid.": (
            "dy * s * (1 - s)"
        ),
        "The factor x is missing from the second term of the product rule.": (
            "dy * (s + s * (1 - s))"
        ),
        "The rule s (1 - s) holds for the gate. You applied it to the output.": (
            "dy * (s + x * y * (1 - y))"
        ),
    }
}
