"""Cross-entropy of a softmax, differentiated with respect to the logits."""

import numpy as np

answers = {"dL_dz": "gradient with respect to the logits"}
sizes = {"K": ("z", 0)}
assume = "the targets y_k are not negative and sum to 1"
hints = ["Simplify the loss before you differentiate it: what is log p_k?"]


def sample(rng):
    """Logits and a target that is a distribution; one-hot targets would hide mistakes."""
    K = rng.integers(3, 8)
    return {"z": rng.standard_normal(K), "y": rng.dirichlet(np.ones(K))}


def softmax(z):
    e = np.exp(z)
    return e / e.sum()


def let(z, y):
    return {"p": softmax(z)}


def forward(z, y):
    return {"L": -(y * np.log(softmax(z))).sum()}


def squared_error(z, y):
    return {"L": ((softmax(z) - y) ** 2).sum()}


variants = {"This is the gradient for the squared error after the softmax.": squared_error}

right = {
    "dL_dz": [
        "p - y",
        "dL_dz[k] = p[k] - y[k]",
        r"\mathrm{softmax}(z) - y",
        "np.exp(z) / np.exp(z).sum() - y",
    ]
}

wrong = {
    "dL_dz": {
        "The sign is flipped: this is the gradient of -L.": "y - p",
        "This is the derivative with respect to the probabilities. It still has to pass "
        "through the softmax.": ("-y / p"),
        "You used only the diagonal of the Jacobian of the softmax. Each logit affects every p.": (
            "-y * (1 - p)"
        ),
        "The derivative of the logarithm of the sum is missing. It is the softmax.": "-y",
        "You subtracted 1 from every class. Subtract the target y.": "p - 1",
    }
}
