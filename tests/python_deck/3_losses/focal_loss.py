"""The focal loss of a binary classifier, averaged over the examples."""

import numpy as np

answers = {"dL_dz": "gradient with respect to the logits"}
sizes = {"N": ("z", 0)}
symbols = {"gamma": "γ"}
assume = "every y_n is -1 or +1, and γ > 0"


def sample(rng):
    """Logits, labels of both kinds, and a focusing parameter that is no whole number."""
    N = rng.integers(3, 8)
    y = rng.choice([-1, 1], size=N)
    y[1] = -y[0]
    return {"z": 1.5 * rng.standard_normal(N), "y": y, "gamma": rng.uniform(1.2, 2.8)}


def right_class(z, y):
    return 1 / (1 + np.exp(-y * z))


def let(z, y, gamma):
    return {"q": right_class(z, y)}


def forward(z, y, gamma):
    q = right_class(z, y)
    return {"L": -((1 - q) ** gamma * np.log(q)).mean()}


def cross_entropy(z, y, gamma):
    return forward(z, y, 0)


variants = {"This is the gradient of plain cross-entropy, the case γ = 0.": cross_entropy}

terms = {
    "dL_dz": {
        "the term of the logarithm": lambda y, q, gamma: y * (q - 1) * (1 - q) ** gamma / len(q),
        "the term of the weight (1 - q)^γ": lambda y, q, gamma: (
            y * gamma * q * np.log(q) * (1 - q) ** gamma / len(q)
        ),
    }
}

right = {
    "dL_dz": [
        "y * (1 - q) ** gamma * (gamma * q * np.log(q) + q - 1) / N",
        "dL_dz[n] = 1/N y[n] (1 - q[n])^gamma (gamma q[n] log(q[n]) + q[n] - 1)",
        "g[n] = gamma q[n] (1 - q[n])^gamma log(q[n]) - (1 - q[n])^(gamma + 1)\n"
        "dL_dz[n] = 1/N y[n] g[n]",
    ]
}

wrong = {
    "dL_dz": {
        "The weight (1 - q)^γ depends on the logit too: the product rule has two terms.": (
            "y * (1 - q) ** gamma * (q - 1) / N"
        ),
        "This is the derivative with respect to q. The slope of q with respect to the logit is "
        "missing.": ("(gamma * (1 - q) ** (gamma - 1) * np.log(q) - (1 - q) ** gamma / q) / N"),
        "The inner derivative is missing: y z has slope y.": (
            "(1 - q) ** gamma * (gamma * q * np.log(q) + q - 1) / N"
        ),
        "The derivative of (1 - q)^γ with respect to q has a minus sign, which cancels that of "
        "the loss.": ("y * (1 - q) ** gamma * (q - 1 - gamma * q * np.log(q)) / N"),
        "The slope of the sigmoid raises the power of 1 - q in the first term by one, to γ.": (
            "y * (gamma * q * (1 - q) ** (gamma - 1) * np.log(q) - (1 - q) ** (gamma + 1)) / N"
        ),
        "The sign is flipped: the loss has a minus sign in front.": (
            "y * (1 - q) ** gamma * (1 - q - gamma * q * np.log(q)) / N"
        ),
        "The loss is a mean over the examples: divide by N.": (
            "y * (1 - q) ** gamma * (gamma * q * np.log(q) + q - 1)"
        ),
    }
}
