"""Gradient boosting with squared loss: derivative with respect to the predictions."""

answers = {"dL_dF": "gradient with respect to the predictions"}
sizes = {"N": ("F", 0)}


def sample(rng):
    N = rng.integers(3, 9)
    return {"y": rng.standard_normal(N), "F": rng.standard_normal(N)}


def forward(y, F):
    return {"L": ((y - F) ** 2).sum() / 2}


right = {"dL_dF": ["F - y", "dL_dF[n] = F[n] - y[n]", "dL_dF = -(y - F)"]}

wrong = {
    "dL_dF": {
        "This is the pseudo-residual, the negative of the gradient that is asked for.": ("y - F"),
        "The loss has a factor of 1/2, which cancels the 2 from the square.": "2 * (F - y)",
        "The loss is a sum, so nothing is divided by N.": "(F - y) / N",
        "This is the loss of each example. Differentiate it.": "(y - F) ** 2 / 2",
        "You kept only the sign of F - y. That is the gradient of the absolute loss.": (
            "np.sign(F - y)"
        ),
    }
}
