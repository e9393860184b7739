"""The hinge loss of a two-class support vector machine, averaged over the examples."""

import numpy as np

answers = {"dL_ds": "gradient with respect to the scores"}
sizes = {"N": ("s", 0)}
assume = "every y_n is -1 or +1, and no y_n s_n is 1"


def sample(rng):
    """Scores on the wrong side, just inside the margin and just beyond it, for both labels."""
    N = rng.integers(4, 9)
    margins = rng.uniform(-2, 0.8, size=N)
    margins[:3] = [rng.uniform(-2, -0.3), rng.uniform(0.6, 0.9), rng.uniform(1.1, 1.4)]
    y = rng.choice([-1, 1], size=N)
    y[1:3] = -y[0], -1
    order = rng.permutation(N)
    return {"s": (margins * y)[order], "y": y[order]}


def forward(s, y):
    return {"L": np.maximum(0, 1 - y * s).mean()}


def squared_hinge(s, y):
    return {"L": (np.maximum(0, 1 - y * s) ** 2).mean()}


variants = {"This is the gradient of the squared hinge loss.": squared_hinge}

right = {
    "dL_ds": [
        "-y * (y * s < 1) / N",
        "np.where(1 - y * s > 0, -y, 0) / N",
        "dL_ds[n] = -1/N y[n] [y[n] s[n] < 1]",
        r"-\frac{1}{N} (y \odot \mathbb{1}[y \odot s < 1])",
    ]
}

wrong = {
    "dL_ds": {
        "Examples with y s above 1 send no message: the maximum is 0 there.": "-y / N",
        "This is the perceptron rule. The hinge loss also pulls on examples that are right by "
        "less than 1.": "-y * (y * s < 0) / N",
        "The inner derivative is missing: 1 - y s has slope -y.": "(y * s < 1) / N",
        "The inner derivative is -y: raising the score of a positive example lowers the loss.": (
            "y * (y * s < 1) / N"
        ),
        "This is the loss of each example, not its slope. Where the loss is positive, the "
        "slope is -y.": ("np.maximum(0, 1 - y * s) / N"),
        "The loss is a mean over the examples: divide by N.": "-y * (y * s < 1)",
        "The margin is on y s, not on s: for a negative label it lies at -1.": ("-y * (s < 1) / N"),
    }
}
