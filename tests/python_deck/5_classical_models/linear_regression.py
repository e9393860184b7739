"""A linear model with squared error, summed over targets and averaged over examples."""

answers = {
    "dL_dW": "gradient with respect to the weights",
    "dL_dX": "gradient with respect to the inputs",
}
sizes = {"N": ("X", 0), "D": ("X", 1), "M": ("W", 1)}


def sample(rng):
    N, D, M = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    return {
        "X": rng.standard_normal((N, D)),
        "W": rng.standard_normal((D, M)),
        "Y": rng.standard_normal((N, M)),
    }


def let(X, W, Y):
    return {"R": X @ W - Y}


def forward(X, W, Y):
    return {"L": ((X @ W - Y) ** 2).sum() / X.shape[0]}


def mean_over_everything(X, W, Y):
    return {"L": ((X @ W - Y) ** 2).mean()}


variants = {
    "This is the gradient of the mean over all N M residuals. On this card, the loss is divided "
    "only by N.": (mean_over_everything),
}

terms = {
    "dL_dW": {
        "the term with X^T X W": lambda X, W: 2 * X.T @ X @ W / len(X),
        "the term with X^T Y": lambda X, Y: -2 * X.T @ Y / len(X),
    },
}

right = {
    "dL_dW": [
        "2 / N * X.T @ (X @ W - Y)",
        "dL_dW[i,m] = (2/N) sum_n X[n,i] R[n,m]",
        r"dL_dW = \frac{2}{N} X^\top (X W - Y)",
    ],
    "dL_dX": [
        "2 / N * R @ W.T",
        "dL_dX[n,i] = (2/N) sum_m R[n,m] W[i,m]",
        r"dL_dX = \frac{2}{N} (X W - Y) W^\top",
    ],
}

wrong = {
    "dL_dW": {
        "The 2 from the square is missing; this loss has no 1/2 to cancel it.": "X.T @ R / N",
        "The average over the examples is missing: divide by N.": "2 * X.T @ R",
        "The sign is flipped. The inner derivative of X W - Y is +X.": (
            "2 / N * X.T @ (Y - X @ W)"
        ),
        "This is the transpose: like W itself, the gradient has one row for each input feature.": (
            "2 / N * R.T @ X"
        ),
    },
    "dL_dX": {
        "This is the message to the residuals. The derivative of X W, the factor W^T, is "
        "missing.": ("2 / N * R"),
        "The 2 from the square is missing; this loss has no 1/2 to cancel it.": "R @ W.T / N",
        "The targets are missing: the residual is X W - Y.": "2 / N * X @ W @ W.T",
    },
}
