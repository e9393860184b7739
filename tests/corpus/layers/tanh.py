"""The hyperbolic tangent, entry by entry."""

import numpy as np


def sample(rng):
    shape = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal(shape)}


def forward(x):
    return {"y": np.tanh(x)}


right = {
    "dx": [
        "dy * (1 - y**2)",
        "dy * (1 - np.tanh(x)**2)",
        "dy / np.cosh(x)**2",
        "dx_ij = dy_ij (1 - y_ij^2)",
        "dx_ij = dy_ij / cosh(x_ij)^2",
        "dx_ij = \\frac{\\delta_{ij}}{\\cosh^2 x_{ij}}",
        "δ ⊙ (1 - y ⊙ y)",
    ]
}
mistakes = {
    "dx": {
        "sign": ["dy * (y**2 - 1)"],
        "input-for-output": ["dy * (1 - x**2)", "dx_ij = dy_ij (1 - x_ij^2)"],
        "upstream-ignored": ["1 - y**2", "dx_ij = 1 - y_ij^2"],
        "one-edit": ["dy * (1 + y**2)", "dy * (1 - y)", "dx_ij = dy_ij (1 + y_ij^2)"],
        "unexplained": ["dx_ij = dy_ij / sinh(x_ij)^2", "dy / cosh(x)"],
        "factor": ["dy * (1 - y**2) / 2"],
    }
}
