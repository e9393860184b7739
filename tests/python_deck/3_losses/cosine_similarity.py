"""The cosine similarity of two vectors."""

import numpy as np

answers = {"dc_dx": "gradient with respect to the first vector"}
sizes = {"D": ("x", 0)}
assume = "neither vector is 0"


def sample(rng):
    """Two vectors at an angle of either kind whose lengths differ from each other and from 1."""
    D = rng.integers(3, 8)
    x, y = rng.standard_normal(D), rng.standard_normal(D)
    y *= rng.choice([-1, 1])
    return {"x": x / length(x) * rng.uniform(0.4, 0.8), "y": y / length(y) * rng.uniform(1.3, 2.5)}


def length(x):
    return np.sqrt((x**2).sum())


def let(x, y):
    return {"r": length(x), "s": length(y)}


def forward(x, y):
    return {"c": (x * y).sum() / (length(x) * length(y))}


def inner_product(x, y):
    return {"c": (x * y).sum()}


variants = {"This is the gradient of the inner product, without the lengths.": inner_product}

terms = {
    "dc_dx": {
        "the numerator's term": lambda y, r, s: y / (r * s),
        "the length's term": lambda x, c, r: -c * x / r**2,
    }
}

right = {
    "dc_dx": [
        "y / (r * s) - c * x / r**2",
        "dc_dx[i] = y[i]/(r s) - c x[i]/r^2",
        r"\frac{1}{r} (\frac{1}{s} y - \frac{c}{r} x)",
        r"\frac{1}{\|x\| \|y\|} (I - \frac{1}{x^\top x} x x^\top) y",
    ]
}

wrong = {
    "dc_dx": {
        "You held the length of x fixed. It depends on x.": "y / (r * s)",
        "The length of x appears in the denominator: its term has a minus sign.": (
            "y / (r * s) + c * x / r**2"
        ),
        "The derivative of the length is the direction x / r; one division by r is missing.": (
            "y / (r * s) - c * x / r"
        ),
        "The similarity c contains a division by s. If you write x^T y instead, divide by s as "
        "well.": ("y / (r * s) - (x @ y) * x / r**3"),
        "This holds only for unit vectors. Here the lengths appear in the gradient.": "y - c * x",
        "This is the gradient with respect to y.": "x / (r * s) - c * y / s**2",
        "The factor 1/r in front is missing.": "y / s - c * x / r",
    }
}
