"""The Huber loss: squared error for small residuals, absolute error for large ones."""

import numpy as np

answers = {"dL_dy_hat": "gradient with respect to the predictions"}
sizes = {"N": ("y", 0)}
symbols = {"y_hat": "ŷ"}
assume = "c > 0"


def sample(rng):
    """Residuals of either sign on both branches, some near the seam, which is far from 1."""
    N = rng.integers(6, 11)
    c = rng.choice([rng.uniform(0.3, 0.6), rng.uniform(1.7, 3)])
    kinds = np.concatenate([np.arange(4), rng.integers(0, 4, size=N - 4)])
    near, far = rng.uniform(0.3, 0.95, size=N), rng.uniform(1.05, 2, size=N)
    r = c * np.where(kinds % 2 == 0, 1, -1) * np.where(kinds < 2, near, far)
    y = 2 * rng.standard_normal(N)
    return {"y_hat": y + rng.permutation(r), "y": y, "c": c}


def forward(y_hat, y, c):
    r = y_hat - y
    size = np.abs(r)
    return {"L": np.where(size <= c, r**2 / 2, c * size - c**2 / 2).mean()}


def let(y_hat, y, c):
    return {"r": y_hat - y}


def smoothed(y_hat, y, c):
    return {"L": (c**2 * (np.sqrt(1 + ((y_hat - y) / c) ** 2) - 1)).mean()}


variants = {"This is the gradient of the pseudo-Huber loss, which has no seams.": smoothed}

right = {
    "dL_dy_hat": [
        "np.clip(y_hat - y, -c, c) / N",
        "np.where(np.abs(r) <= c, r, c * np.sign(r)) / N",
        "dL_dy_hat[n] = (r[n] if abs(r[n]) <= c else c sign(r[n])) / N",
        r"\frac{1}{N} \max(-c, \min(c, r))",
    ]
}

wrong = {
    "dL_dy_hat": {
        "This is the inner branch everywhere. Beyond c the loss is a straight line.": "r / N",
        "This is the outer branch everywhere. Within c the loss is a parabola.": (
            "c * np.sign(r) / N"
        ),
        "The straight lines have slopes c and -c: the factor c is missing.": (
            "np.where(np.abs(r) <= c, r, np.sign(r)) / N"
        ),
        "On the left side the straight line falls: its slope there is -c.": (
            "np.where(np.abs(r) <= c, r, c) / N"
        ),
        "You dropped the large residuals. They keep pulling, with the constant force c.": (
            "np.where(np.abs(r) <= c, r, 0) / N"
        ),
        "The loss is a mean over the examples: divide by N.": "np.clip(r, -c, c)",
        "The sign is flipped: the residual is prediction minus target.": ("np.clip(-r, -c, c) / N"),
    }
}
