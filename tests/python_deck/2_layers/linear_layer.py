"""A linear layer on a batch: y = x W^T + b."""

answers = {
    "dx": "backward message",
    "dW": "parameter message of the weights",
    "db": "parameter message of the bias",
}
sizes = {"N": ("x", 0), "D": ("x", 1), "M": ("W", 0)}


def sample(rng):
    N, D, M = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    return {
        "x": rng.standard_normal((N, D)),
        "W": rng.standard_normal((M, D)),
        "b": rng.standard_normal(M),
    }


def forward(x, W, b):
    """y[n, m] = sum over i of x[n, i] W[m, i], plus b[m]."""
    return {"y": x @ W.T + b}


def reference(x, W, dy):
    return {"dx": dy @ W, "dW": dy.T @ x, "db": dy.sum(axis=0)}


right = {
    "dx": ["dy @ W", "dx[n,i] = sum_m dy[n,m] W[m,i]", "dx = dy W"],
    "dW": ["dy.T @ x", "dW[m,i] = sum_n dy[n,m] x[n,i]", r"dW = dy^\top x"],
    "db": ["dy.sum(axis=0)", "db_m = Σ_n dy_{nm}", r"db = dy^\top \mathbf{1}"],
}

wrong = {
    "dx": {
        "This is the message for an upstream of ones. Weight the rows of W by dy.": (
            "np.ones(dy.shape) @ W"
        ),
        "You summed over the examples; each has a message of its own.": "dy.sum(axis=0) @ W",
        "The layer does not divide by N. If the loss does, the factor is in the "
        "upstream.": "dy @ W / N",
    },
    "dW": {
        "This is the transpose: the message to W has a row for every output feature, as W has.": (
            "x.T @ dy"
        ),
        "You summed before you multiplied. Multiply example by example, then sum.": (
            "np.outer(dy.sum(axis=0), x.sum(axis=0))"
        ),
        "The layer does not divide by N. If the loss does, the factor is in the upstream.": (
            "dy.T @ x / N"
        ),
    },
    "db": {
        "The bias is shared by the batch: sum over the examples.": "dy",
        "You summed over the features; the bias has one entry for each of them.": "dy.sum(axis=1)",
        "You took the mean over the batch. The chain rule sums.": "dy.mean(axis=0)",
    },
}
