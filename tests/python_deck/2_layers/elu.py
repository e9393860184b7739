"""The exponential linear unit, component by component."""

import numpy as np

answers = {"dx": "backward message"}
sizes = {"D": ("x", 0)}
symbols = {"alpha": "α"}
assume = "α > 0"
hints = ["Below zero the slope can be read off the output."]


def sample(rng):
    """An input with components of both signs, and an alpha that is not 1."""
    x = rng.standard_normal(rng.integers(6, 12))
    x[:2] = np.abs(x[0]), -np.abs(x[1])
    return {"x": x, "alpha": rng.choice([rng.uniform(0.4, 0.8), rng.uniform(1.3, 2)])}


def forward(x, alpha):
    """y[i] is x[i] where that is positive, else alpha (exp(x[i]) - 1)."""
    return {"y": np.where(x > 0, x, alpha * (np.exp(x) - 1))}


def leaky_relu(x, alpha):
    return {"y": np.where(x > 0, x, alpha * x)}


variants = {"This is the gradient of a leaky ReLU, which is linear below zero.": leaky_relu}

right = {
    "dx": [
        "dy * np.where(x > 0, 1, y + alpha)",
        "dy * np.where(x > 0, 1, alpha * np.exp(x))",
        "dx[i] = dy[i] if x[i] > 0 else dy[i] (y[i] + alpha)",
        "dx[i] = dy[i] ([x[i]>0] + [x[i]<=0] alpha exp(x[i]))",
    ]
}

wrong = {
    "dx": {
        "The constant -1 drops out: the slope below zero is α exp(x), which is y + α and not y.": (
            "dy * np.where(x > 0, 1, y)"
        ),
        "The factor α is missing: below zero the slope is α exp(x).": (
            "dy * np.where(x > 0, 1, np.exp(x))"
        ),
        "You let no message pass below zero, as a plain ReLU would. The slope there is α exp(x).": (
            "dy * (x > 0)"
        ),
        "Above zero the layer is a copy: its slope is 1, not x.": (
            "dy * np.where(x > 0, x, y + alpha)"
        ),
        "This is the local slope. Multiply it by the upstream.": "np.where(x > 0, 1, y + alpha)",
    }
}
