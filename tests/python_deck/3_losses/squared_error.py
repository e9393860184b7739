"""Half the squared error, summed over the outputs and averaged over the examples."""

answers = {"dL_dy_hat": "gradient with respect to the predictions"}
sizes = {"N": ("y", 0), "M": ("y", 1)}
symbols = {"y_hat": "ŷ"}


def sample(rng):
    N, M = rng.choice([3, 4, 5, 7], size=2, replace=False)
    return {"y_hat": rng.standard_normal((N, M)), "y": rng.standard_normal((N, M))}


def forward(y_hat, y):
    return {"L": ((y_hat - y) ** 2).sum() / (2 * y.shape[0])}


def absolute_error(y_hat, y):
    return {"L": abs(y_hat - y).sum() / y.shape[0]}


variants = {"This is the gradient of the absolute error.": absolute_error}

terms = {
    "dL_dy_hat": {
        "the prediction": lambda y_hat: y_hat / len(y_hat),
        "the target": lambda y: -y / len(y),
    }
}

right = {
    "dL_dy_hat": [
        "(y_hat - y) / N",
        "dL_dy_hat[n,m] = 1/N (y_hat[n,m] - y[n,m])",
        r"\frac{1}{N} (\hat{y} - y)",
    ]
}

wrong = {
    "dL_dy_hat": {
        "The factor 2 does not belong here: the 1/2 of the definition cancels it.": (
            "2 * (y_hat - y) / N"
        ),
        "The sign is flipped: a prediction above its target must be pushed down.": (
            "(y - y_hat) / N"
        ),
        "The loss is a mean over the examples: divide by N.": "y_hat - y",
        "You divided by the number of outputs too. This loss sums over them.": (
            "(y_hat - y) / (N * M)"
        ),
        "You divided by the number of outputs. The loss is a mean over the examples: divide by "
        "N.": ("(y_hat - y) / M"),
    }
}
