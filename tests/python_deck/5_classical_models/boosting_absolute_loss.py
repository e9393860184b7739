"""Gradient boosting with absolute loss: derivative with respect to the predictions."""

answers = {"dL_dF": "gradient with respect to the predictions"}
sizes = {"N": ("F", 0)}


def sample(rng):
    """Predictions on both sides of their targets; for two, the sign of F tells the wrong side."""
    N = rng.integers(3, 9)
    side, y = rng.choice([-1, 1], size=N), rng.standard_normal(N)
    side[:2] = 1, -1
    y[:2] = -3 * side[:2]
    order = rng.permutation(N)
    return {"y": y[order], "F": (y + side * rng.uniform(0.2, 2, size=N))[order]}


def forward(y, F):
    return {"L": abs(y - F).sum()}


right = {
    "dL_dF": [
        "np.sign(F - y)",
        "dL_dF[n] = [F[n]>y[n]] - [F[n]<y[n]]",
        "dL_dF[n] = sign(F[n] - y[n])",
    ]
}

wrong = {
    "dL_dF": {
        "This is the pseudo-residual, the negative of the gradient that is asked for.": (
            "np.sign(y - F)"
        ),
        "This is the gradient of half the squared loss. The absolute value keeps only the sign.": (
            "F - y"
        ),
        "The loss is a sum, so nothing is divided by N.": "np.sign(F - y) / N",
        "This is the loss of each example. Differentiate it.": "abs(y - F)",
        "Where a prediction is too low, the slope is -1, not 0: the loss rises on both sides of "
        "the target.": ("1.0 * (F > y)"),
    }
}
