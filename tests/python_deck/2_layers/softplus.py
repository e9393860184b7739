"""The softplus with a sharpness, component by component."""

import numpy as np

answers = {"dx": "backward message"}
sizes = {"D": ("x", 0)}
symbols = {"beta": "β"}
assume = "β > 0"


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(4, 9)), "beta": rng.uniform(1.5, 3)}


def forward(x, beta):
    """y[i] = log(1 + exp(beta x[i])) / beta."""
    return {"y": np.log(1 + np.exp(beta * x)) / beta}


def with_sharpness_one(x, beta):
    return {"y": np.log(1 + np.exp(x))}


variants = {"This is the gradient for β = 1.": with_sharpness_one}

right = {
    "dx": [
        "dy / (1 + np.exp(-beta * x))",
        "dy * sigmoid(beta * x)",
        "dy * (1 - np.exp(-beta * y))",
        "dx[i] = dy[i] σ(beta x[i])",
        r"dx = dy \odot \sigma(\beta x)",
    ]
}

wrong = {
    "dx": {
        "The inner derivative β cancels with the 1/β in front.": "beta * dy * sigmoid(beta * x)",
        "The inner derivative β of exp(βx) is missing; it cancels the 1/β.": (
            "dy * sigmoid(beta * x) / beta"
        ),
        "The slope of 1 + exp(βx) is β exp(βx). You have lost the exponential.": (
            "dy / (1 + np.exp(beta * x))"
        ),
        "This differentiates the sigmoid once more. The slope of the softplus is the sigmoid "
        "itself.": "dy * sigmoid(beta * x) * (1 - sigmoid(beta * x))",
        "This is the local slope. Multiply it by the upstream.": "sigmoid(beta * x)",
    }
}
