"""A residual block: y = x + V relu(W x)."""

import numpy as np

answers = {
    "dy_dx": "local derivative",
    "dx": "backward message",
    "dW": "parameter message of the weights into the branch",
}
sizes = {"D": ("W", 1), "M": ("W", 0)}
hints = ["Along how many paths does the input reach the output? The messages of all paths add up."]


def sample(rng):
    """Some hidden units are on and some are off; otherwise mistakes would not show."""
    D, M = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    while True:
        x, W = rng.standard_normal(D), rng.standard_normal((M, D))
        if 0 < (W @ x > 0).sum() < M:
            return {"x": x, "W": W, "V": rng.standard_normal((D, M))}


def forward(x, W, V):
    return {"y": x + V @ np.maximum(W @ x, 0)}


def let(x, W):
    return {"a": W @ x, "h": np.maximum(W @ x, 0)}


def relu_after_the_sum(x, W, V):
    return {"y": np.maximum(forward(x, W, V)["y"], 0)}


def without_relu(x, W, V):
    return {"y": x + V @ (W @ x)}


variants = {
    "This is the gradient of a block with one more ReLU after the sum.": relu_after_the_sum,
    "This is the gradient of a block without the ReLU.": without_relu,
}

terms = {
    "dy_dx": {
        "the copy's identity": lambda x: np.eye(len(x)),
        "the branch's term": lambda V, W, a: V @ np.diag(1.0 * (a > 0)) @ W,
    },
    "dx": {
        "the message along the copy": lambda dy: dy,
        "the message through the branch": lambda dy, V, W, a: W.T @ ((V.T @ dy) * (a > 0)),
    },
}

right = {
    "dy_dx": [
        "np.eye(D) + (V * (a > 0)) @ W",
        "dy_dx[i,j] = [i=j] + sum_m V[i,m] [a[m]>0] W[m,j]",
        "dy_dx = I + V diag([a > 0]) W",
    ],
    "dx": [
        "dy + W.T @ ((V.T @ dy) * (a > 0))",
        "dx[j] = dy[j] + sum(i,m) dy[i] V[i,m] [a[m]>0] W[m,j]",
        r"dx = dy + W^\top ((V^\top dy) \odot [a > 0])",
        "dx = (I + V diag([h > 0]) W)^T dy",
    ],
    "dW": [
        "np.outer((V.T @ dy) * (a > 0), x)",
        "dW[m,j] = [a[m]>0] x[j] sum_i V[i,m] dy[i]",
        r"dW = ((V^\top dy) \odot [a > 0]) x^\top",
    ],
}

wrong = {
    "dy_dx": {
        "The copy is missing: the input reaches the output directly too.": "(V * (a > 0)) @ W",
        "The slopes of the ReLU are missing: units that are off have slope 0.": "np.eye(D) + V @ W",
        "The hidden values are not the slopes: a ReLU that is on has slope 1.": (
            "np.eye(D) + (V * h) @ W"
        ),
        "This is the transpose: axis i belongs to the output, axis j to the input.": (
            "np.eye(D) + ((V * (a > 0)) @ W).T"
        ),
    },
    "dx": {
        "The copy is missing: the upstream reaches the input directly too.": (
            "W.T @ ((V.T @ dy) * (a > 0))"
        ),
        "The slopes of the ReLU are missing: units that are off have slope 0.": (
            "dy + W.T @ (V.T @ dy)"
        ),
        "A message goes back through the transposed Jacobian; you sent it forward through the "
        "branch.": ("dy + V @ ((W @ dy) * (a > 0))"),
        "You multiplied the copy by the branch. The messages along the two paths are added.": (
            "dy * (W.T @ ((V.T @ dy) * (a > 0)))"
        ),
    },
    "dW": {
        "The slopes of the ReLU are missing: a unit that is off learns nothing.": (
            "np.outer(V.T @ dy, x)"
        ),
        "The weights V lie between W and the output: the message passes through them.": (
            "dW[m,j] = [a[m]>0] x[j] sum_i dy[i]"
        ),
        "This is the transpose: the message to W has a row for every hidden unit, as W has.": (
            "np.outer(x, (V.T @ dy) * (a > 0))"
        ),
        "This is the message to V, transposed: it contains the output of the ReLU. "
        "W multiplies the input x, so its message contains x.": "np.outer(h, dy)",
    },
}
