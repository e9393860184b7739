"""Binary cross-entropy with logits, summed over the labels and averaged over the examples."""

import numpy as np

answers = {"dL_dz": "gradient with respect to the logits"}
sizes = {"N": ("z", 0), "M": ("z", 1)}
assume = "every target y_nm lies between 0 and 1"


def sample(rng):
    """Logits of either sign; soft targets, as hard ones would hide mistakes."""
    N, M = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {"z": 1.5 * rng.standard_normal((N, M)), "y": rng.uniform(0.05, 0.95, size=(N, M))}


def forward(z, y):
    elements = np.maximum(z, 0) - y * z + np.log(1 + np.exp(-np.abs(z)))
    return {"L": elements.sum() / z.shape[0]}


def mean_over_everything(z, y):
    return {"L": forward(z, y)["L"] / z.shape[1]}


def squared_error(z, y):
    return {"L": ((1 / (1 + np.exp(-z)) - y) ** 2).sum() / z.shape[0]}


variants = {
    "This is the gradient of the mean over all N M elements. Here the loss is divided only by N.": (
        mean_over_everything
    ),
    "This is the gradient for the squared error of the probabilities.": squared_error,
}

right = {
    "dL_dz": [
        "(1 / (1 + np.exp(-z)) - y) / N",
        "((z > 0) - y - np.sign(z) / (1 + np.exp(np.abs(z)))) / N",
        "dL_dz[n,m] = 1/N (exp(z[n,m]) / (1 + exp(z[n,m])) - y[n,m])",
        r"\frac{1}{N} (\sigma(z) - y)",
    ]
}

wrong = {
    "dL_dz": {
        "The derivative of the logarithm is missing. Adding it turns the step into a sigmoid.": (
            "((z > 0) - y) / N"
        ),
        "The sign is flipped: this is the gradient of -L.": ("(y - sigmoid(z)) / N"),
        "The loss is a mean over the examples: divide by N.": "sigmoid(z) - y",
        "The slope of the sigmoid does not belong here: the slope of the softplus is the "
        "sigmoid itself.": ("(sigmoid(z) - y) * sigmoid(z) * (1 - sigmoid(z)) / N"),
        "The derivative of y z with respect to z is y: the target term is missing.": (
            "sigmoid(z) / N"
        ),
        "The sign of the logit is lost: -|z| has slope -1 only for positive z.": (
            "((z > 0) - y - 1 / (1 + np.exp(np.abs(z)))) / N"
        ),
    }
}
