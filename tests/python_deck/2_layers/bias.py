"""A bias for each channel, broadcast over examples and positions."""

answers = {"dx": "backward message", "db": "parameter message"}
sizes = {"N": ("x", 0), "C": ("x", 1), "T": ("x", 2)}
hints = ["Along which axes is b repeated? Sum over these."]


def sample(rng):
    N, C, T = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {"x": rng.standard_normal((N, C, T)), "b": rng.standard_normal(C)}


def forward(x, b):
    """y[n, c, t] = x[n, c, t] + b[c]."""
    return {"y": x + b[:, None]}


right = {
    "dx": ["dy", "dx[n,c,t] = dy[n,c,t]"],
    "db": ["dy.sum(axis=(0, 2))", "db[c] = sum(n,t) dy[n,c,t]", r"db_c = \sum_{n,t} \delta_{nct}"],
}

wrong = {
    "dx": {
        "The bias does not appear: a sum has slope 1 in each of its summands.": "dy + b[:, None]",
        "This is the local slope, which is 1 everywhere. Multiply it by the upstream.": (
            "np.ones(dy.shape)"
        ),
        "The slope of x + b with respect to x is 1, not x.": "dy * x",
    },
    "db": {
        "You summed only over the examples. The positions share the bias as well.": (
            "dy.sum(axis=0)"
        ),
        "You took the mean over examples and positions. The chain rule sums.": (
            "dy.mean(axis=(0, 2))"
        ),
        "You summed over the channels, but each channel has a bias of its own. Sum over the "
        "positions instead.": ("dy.sum(axis=(0, 1))"),
        "All outputs of a channel share its bias: sum over examples and positions.": "dy",
        "The slope of x + b with respect to b is 1. You multiplied by the bias.": (
            "dy.sum(axis=(0, 2)) * b"
        ),
    },
}
