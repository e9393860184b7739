"""REINFORCE with a linear softmax policy: gradient of the surrogate objective."""

import numpy as np

answers = {"dJ_dtheta": "gradient with respect to the parameters"}
sizes = {"N": ("X", 0), "D": ("X", 1), "K": ("theta", 1)}
symbols = {"theta": "θ", "P": "π"}
hints = ["Begin with the derivative of one log-probability with respect to the logits."]


def sample(rng):
    """Actions are integers, so constants; returns have either sign."""
    N, D, K = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    return {
        "X": rng.standard_normal((N, D)),
        "a": rng.integers(0, K, size=N),
        "G": rng.standard_normal(N),
        "theta": rng.standard_normal((D, K)),
    }


def policy(X, theta):
    e = np.exp(X @ theta)
    return e / e.sum(axis=1, keepdims=True)


def let(X, a, G, theta):
    return {"P": policy(X, theta), "A": np.eye(theta.shape[1])[a]}


def forward(X, a, G, theta):
    taken = np.eye(theta.shape[1])[a]
    return {"J": (G[:, None] * taken * np.log(policy(X, theta))).sum()}


def without_logarithm(X, a, G, theta):
    taken = np.eye(theta.shape[1])[a]
    return {"J": (G[:, None] * taken * policy(X, theta)).sum()}


variants = {
    "This is the gradient of the probabilities. The surrogate contains their logarithms.": (
        without_logarithm
    ),
}

terms = {
    "dJ_dtheta": {
        "the term of the actions taken": lambda X, G, A: X.T @ (G[:, None] * A),
        "the term of the expectation": lambda X, G, P: -X.T @ (G[:, None] * P),
    }
}

right = {
    "dJ_dtheta": [
        "X.T @ (G[:, None] * (A - P))",
        "dJ_dtheta[i,k] = sum_n G[n] X[n,i] ([a[n]=k] - P[n,k])",
        r"dJ_dtheta = X^\top diag(G) (A - P)",
    ]
}

wrong = {
    "dJ_dtheta": {
        "The sign is flipped. The slope of a log-probability is the action taken minus the "
        "expected one.": ("X.T @ (G[:, None] * (P - A))"),
        "The returns are missing: good and bad actions would count alike.": ("X.T @ (A - P)"),
        "The slope of the log-probability has a second term: minus the probabilities.": (
            "X.T @ (G[:, None] * A)"
        ),
        "You used only the diagonal of the Jacobian of the softmax. Each logit affects all "
        "probabilities.": "X.T @ (G[:, None] * A * (1 - P))",
        "The surrogate is a sum. It is not divided by N.": "X.T @ (G[:, None] * (A - P)) / N",
    }
}
