"""A gated linear unit on a batch: Y = X V times sigmoid(X W), element by element."""

import numpy as np

answers = {
    "dV": "parameter message of the values' weights",
    "dW": "parameter message of the gates' weights",
    "dX": "backward message",
}
sizes = {"N": ("X", 0), "D": ("X", 1), "M": ("V", 1)}
hints = ["First find the messages inside the two branches: to X V and to X W."]


def sample(rng):
    N, D, M = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {
        "X": rng.standard_normal((N, D)),
        "V": rng.standard_normal((D, M)),
        "W": rng.standard_normal((D, M)),
    }


def sigmoid(B):
    return 1 / (1 + np.exp(-B))


def let(X, V, W):
    return {"A": X @ V, "G": sigmoid(X @ W)}


def forward(X, V, W):
    return {"Y": (X @ V) * sigmoid(X @ W)}


def bilinear(X, V, W):
    return {"Y": (X @ V) * (X @ W)}


def with_tanh(X, V, W):
    return {"Y": np.tanh(X @ V) * sigmoid(X @ W)}


variants = {
    "This is the gradient of a product of two linear maps, without the sigmoid.": bilinear,
    "This is the gradient with a tanh around the values. On this card, the values are "
    "linear.": with_tanh,
}

terms = {
    "dX": {
        "the message through the values": lambda dY, G, V: (dY * G) @ V.T,
        "the message through the gates": lambda dY, A, G, W: (dY * A * G * (1 - G)) @ W.T,
    }
}

right = {
    "dV": [
        "X.T @ (dY * G)",
        "dV[i,m] = sum_n X[n,i] dY[n,m] G[n,m]",
        r"dV = X^\top (dY \odot G)",
    ],
    "dW": [
        "X.T @ (dY * A * G * (1 - G))",
        "X.T @ (dY * Y * (1 - G))",
        "dW[i,m] = sum_n X[n,i] dY[n,m] A[n,m] G[n,m] (1 - G[n,m])",
        r"dW = X^\top (dY \odot A \odot G \odot (1 - G))",
    ],
    "dX": [
        "(dY * G) @ V.T + (dY * A * G * (1 - G)) @ W.T",
        "dX[n,i] = sum_m dY[n,m] G[n,m] (V[i,m] + A[n,m] (1 - G[n,m]) W[i,m])",
        r"dX = (dY \odot G) V^\top + (dY \odot Y \odot (1 - G)) W^\top",
    ],
}

wrong = {
    "dV": {
        "The gates are missing: they scale the values.": "X.T @ dY",
        "The values do not pass through the sigmoid, so its slope does not appear in their "
        "message.": ("X.T @ (dY * G * (1 - G))"),
        "This is the transpose: the message to V has a row for every input feature, as V has.": (
            "(dY * G).T @ X"
        ),
        "The partner of the values is the gate. You multiplied by the values themselves.": (
            "X.T @ (dY * A)"
        ),
    },
    "dW": {
        "The slope of the sigmoid is missing: the message has to pass through the sigmoid "
        "too.": "X.T @ (dY * A)",
        "The values are missing: they are the gates' partner in the product.": (
            "X.T @ (dY * G * (1 - G))"
        ),
        "Your answer has G twice: Y already contains it.": "X.T @ (dY * Y * G * (1 - G))",
        "This is the transpose: the message to W has a row for every input feature, as W has.": (
            "(dY * A * G * (1 - G)).T @ X"
        ),
    },
    "dX": {
        "The input enters the gates too: their path is missing.": "(dY * G) @ V.T",
        "The input enters the values too: their path is missing.": "(dY * A * G * (1 - G)) @ W.T",
        "The slope of the sigmoid is missing on the path through the gates.": (
            "(dY * G) @ V.T + (dY * A) @ W.T"
        ),
        "The weights are swapped: the message to the values passes through V, and the message to "
        "the gates through W.": ("(dY * G) @ W.T + (dY * A * G * (1 - G)) @ V.T"),
    },
}
