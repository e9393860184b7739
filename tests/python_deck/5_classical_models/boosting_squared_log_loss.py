"""Gradient boosting with squared logarithmic loss: derivative with respect to the predictions."""

import numpy as np

answers = {"dL_dF": "gradient with respect to the predictions"}
sizes = {"N": ("F", 0)}
assume = "every y_n is at least 0 and every F_n above -1"


def sample(rng):
    N = rng.integers(3, 9)
    return {"y": rng.uniform(0, 6, size=N), "F": rng.uniform(-0.6, 5, size=N)}


def forward(y, F):
    return {"L": ((np.log(1 + F) - np.log(1 + y)) ** 2).sum() / 2}


def logarithms_without_one(y, F):
    return {"L": ((np.log(abs(F)) - np.log(y)) ** 2).sum() / 2}


variants = {
    "This is the gradient of a loss with log F and log y. On this card, the logarithms are "
    "those of 1 + F and 1 + y.": (logarithms_without_one),
}

right = {
    "dL_dF": [
        "(np.log(1 + F) - np.log(1 + y)) / (1 + F)",
        "np.log1p((F - y) / (1 + y)) / (1 + F)",
        "dL_dF[n] = (log(1 + F[n]) - log(1 + y[n])) / (1 + F[n])",
    ]
}

wrong = {
    "dL_dF": {
        "This is the pseudo-residual, the negative of the gradient that is asked for.": (
            "(np.log(1 + y) - np.log(1 + F)) / (1 + F)"
        ),
        "The inner derivative is missing: the logarithm of 1 + F has slope 1 / (1 + F).": (
            "np.log(1 + F) - np.log(1 + y)"
        ),
        "The loss has a factor of 1/2, which cancels the 2 from the square.": (
            "2 * (np.log(1 + F) - np.log(1 + y)) / (1 + F)"
        ),
        "You divided by 1 + y. The derivative is with respect to the prediction, so divide by "
        "1 + F.": ("(np.log(1 + F) - np.log(1 + y)) / (1 + y)"),
        "You divided by F. The derivative of log(1 + F) is 1 / (1 + F).": (
            "(np.log(1 + F) - np.log(1 + y)) / F"
        ),
        "The logarithms are missing: the derivative of the square keeps one factor of their "
        "difference.": ("1 / (1 + F) - 1 / (1 + y)"),
    }
}
