"""A linear layer on one vector: y = W x + b."""

answers = {"dx": "backward message", "dW": "parameter message of the weights"}
sizes = {"M": ("W", 0), "D": ("W", 1)}
hints = ["Which outputs does one input affect? Which outputs does one weight affect?"]


def sample(rng):
    """Another number of inputs than of outputs."""
    M, D = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "x": rng.standard_normal(D),
        "W": rng.standard_normal((M, D)),
        "b": rng.standard_normal(M),
    }


def forward(x, W, b):
    """y[m] is row m of W times x, plus b[m]."""
    return {"y": W @ x + b}


right = {
    "dx": ["W.T @ dy", "dx_i = sum_m dy_m W_{mi}", "W^T \\delta"],
    "dW": ["np.outer(dy, x)", "dW_{mi} = dy_m x_i", "\\delta x^T"],
}

wrong = {
    "dx": {
        "This sums over the inputs. Going back, sum over the outputs: transpose the weights.": (
            "dy * W.sum(axis=1)"
        ),
        "The upstream is missing: these are the local slopes, summed over the outputs.": (
            "W.sum(axis=0)"
        ),
        "Each output has its own upstream. "
        "Weight each row of W by the upstream of its output before you sum.": (
            "W.sum(axis=0) * dy.sum()"
        ),
    },
    "dW": {
        "The upstream is missing. The message to a weight in row m contains the upstream of "
        "output m.": ("np.outer(np.ones(M), x)"),
        "The input is missing: it is the slope with respect to the weight.": (
            "np.outer(dy, np.ones(D))"
        ),
        "You used the output where its upstream belongs.": "np.outer(y, x)",
    },
}
