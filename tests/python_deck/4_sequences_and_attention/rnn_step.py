"""One step of a simple recurrent network: h = tanh(W h_prev + U x + b)."""

import numpy as np

answers = {
    "dh_dh_prev": "local derivative of the new state with respect to the previous one",
    "dh_prev": "backward message to the previous state",
    "dW": "parameter message of the weights between states",
    "db": "parameter message of the bias",
}
sizes = {"D": ("U", 0), "M": ("U", 1)}
symbols = {"h_prev": "h_{t-1}", "h": "h_t"}
hints = ["Give the argument of the tanh a name, and first find the message to it."]


def sample(rng):
    D, M = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "h_prev": rng.uniform(-1, 1, size=D),
        "x": rng.standard_normal(M),
        "W": rng.standard_normal((D, D)),
        "U": 0.5 * rng.standard_normal((D, M)),
        "b": 0.5 * rng.standard_normal(D),
    }


def forward(h_prev, x, W, U, b):
    return {"h": np.tanh(W @ h_prev + U @ x + b)}


def with_sigmoid(h_prev, x, W, U, b):
    return {"h": 1 / (1 + np.exp(-(W @ h_prev + U @ x + b)))}


def linear(h_prev, x, W, U, b):
    return {"h": W @ h_prev + U @ x + b}


variants = {
    "This is the gradient of a step with a sigmoid.": with_sigmoid,
    "This is the gradient of a step without the tanh.": linear,
}

right = {
    "dh_dh_prev": [
        "(1 - h**2)[:, None] * W",
        "dh_dh_prev[i,j] = (1 - h[i]^2) W[i,j]",
        r"diag(1 - h \odot h) W",
    ],
    "dh_prev": [
        "W.T @ (dh * (1 - h**2))",
        "dh_prev[j] = sum_i dh[i] (1 - h[i]^2) W[i,j]",
        r"dh_prev = W^\top (dh \odot (1 - h \odot h))",
    ],
    "dW": [
        "np.outer(dh * (1 - h**2), h_prev)",
        "dW[i,j] = dh[i] (1 - h[i]^2) h_prev[j]",
        r"dW = (\delta \odot (1 - h \odot h)) h_{t-1}^\top",
    ],
    "db": [
        "dh * (1 - h**2)",
        "db[i] = dh[i] (1 - h[i]^2)",
        r"db = dh \odot (1 - h \odot h)",
    ],
}

wrong = {
    "dh_dh_prev": {
        "The slopes of the tanh are missing.": "W",
        "The slopes belong to the new state, so they scale rows. You scaled columns.": (
            "(1 - h**2) * W"
        ),
        "This is the transpose: axis i belongs to the new state, axis j to the previous one.": (
            "((1 - h**2)[:, None] * W).T"
        ),
        "The slope of the tanh contains the new state. You used the previous one.": (
            "(1 - h_prev**2)[:, None] * W"
        ),
    },
    "dh_prev": {
        "The slopes of the tanh are missing.": "W.T @ dh",
        "A message goes back through the transposed weights; you multiplied by W itself.": (
            "W @ (dh * (1 - h**2))"
        ),
        "On the way back, the slopes come first, then the weights. You reversed the order.": (
            "(W.T @ dh) * (1 - h**2)"
        ),
        "h is already the tanh: its slope is 1 - h².": "W.T @ (dh * (1 - np.tanh(h) ** 2))",
        "You used the slope of a sigmoid. The slope of the tanh is 1 - h².": (
            "W.T @ (dh * h * (1 - h))"
        ),
    },
    "dW": {
        "The slopes of the tanh are missing.": "np.outer(dh, h_prev)",
        "The weights multiply the previous state. You used the new one.": (
            "np.outer(dh * (1 - h**2), h)"
        ),
        "This is the transpose: the message to W has a row for each element of the new state.": (
            "np.outer(h_prev, dh * (1 - h**2))"
        ),
    },
    "db": {
        "The slopes of the tanh are missing: the bias is added inside it.": "dh",
        "This is the local slope. Multiply it by the upstream.": "1 - h**2",
        "Each element of the state has a bias of its own, so nothing is summed.": (
            "(dh * (1 - h**2)).sum()"
        ),
        "You used the slope of a sigmoid. The slope of the tanh is 1 - h².": "dh * h * (1 - h)",
    },
}
