"""The hyperbolic tangent, component by component."""

import numpy as np

answers = {"dx": "backward message"}
sizes = {"D": ("x", 0)}


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(4, 9))}


def forward(x):
    """y[i] = tanh(x[i])."""
    return {"y": np.tanh(x)}


right = {
    "dx": [
        "dy * (1 - y**2)",
        "dy / np.cosh(x) ** 2",
        "dx[i] = dy[i] (1 - y[i]^2)",
        r"dx = dy \odot (\mathbf{1} - y \odot y)",
        "dx[i] = dy[i] (1 - tanh(x[i])^2)",
    ]
}

wrong = {
    "dx": {
        "The slope y (1 - y) belongs to the sigmoid. For tanh it is 1 - y².": "dy * y * (1 - y)",
        "The rule 1 - y² holds for the output. You used the input.": "dy * (1 - x**2)",
        "This is the local slope. Multiply it by the upstream.": "1 - y**2",
        "The tanh is applied twice: y is already the tanh of x.": "dy * (1 - np.tanh(y) ** 2)",
        "The square belongs to y alone: 1 - y², not (1 - y)².": "dy * (1 - y) ** 2",
        "The slope is one over the square of cosh. You left out the square.": "dy / np.cosh(x)",
    }
}
