"""The logistic sigmoid, component by component."""

import numpy as np

answers = {"dy_dx": "local derivative", "dx": "backward message"}
sizes = {"D": ("x", 0)}


def sample(rng):
    return {"x": 1.5 * rng.standard_normal(rng.integers(3, 8))}


def forward(x):
    """y[i] = sigmoid(x[i])."""
    return {"y": 1 / (1 + np.exp(-x))}


def hyperbolic_tangent(x):
    return {"y": np.tanh(x)}


variants = {"This is the gradient of tanh.": hyperbolic_tangent}

right = {
    "dy_dx": [
        "np.diag(y * (1 - y))",
        "dy_dx[i,j] = [i=j] y[i] (1 - y[i])",
        r"dy_dx = diag(y \odot (\mathbf{1} - y))",
    ],
    "dx": [
        "dy * y * (1 - y)",
        "dx[i] = dy[i] y[i] (1 - y[i])",
        r"dx = dy \odot y \odot (\mathbf{1} - y)",
        "dy * np.exp(-x) / (1 + np.exp(-x)) ** 2",
    ],
}

wrong = {
    "dy_dx": {
        "For i ≠ j, output i does not depend on input j: only the diagonal is nonzero.": (
            "np.outer(y, 1 - y)"
        ),
        "Check the sign: the sigmoid rises everywhere, so its slope is positive.": (
            "-np.diag(y * (1 - y))"
        ),
        "The output alone is not the slope: the factor 1 - y is missing.": ("np.diag(y)"),
    },
    "dx": {
        "The rule y (1 - y) holds for the output. You used the input.": "dy * x * (1 - x)",
        "This is the local slope. Multiply it by the upstream.": "y * (1 - y)",
        "You used the slope of tanh, 1 - y^2. The slope of the sigmoid is y (1 - y).": (
            "dy * (1 - y**2)"
        ),
        "The sigmoid is applied twice: y is already the sigmoid of x.": (
            "dy * sigmoid(y) * (1 - sigmoid(y))"
        ),
    },
}
