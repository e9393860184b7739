"""The rectified linear unit, component by component."""

import numpy as np

answers = {"dy_dx": "local derivative", "dx": "backward message"}
sizes = {"D": ("x", 0)}


def sample(rng):
    """An input with components of both signs, two of them near 0."""
    x = rng.standard_normal(rng.integers(6, 12))
    x[:4] = np.abs(x[0]), -np.abs(x[1]), rng.uniform(0.01, 0.05), -rng.uniform(0.01, 0.05)
    return {"x": x}


def forward(x):
    """y[i] is x[i] where that is positive, else 0."""
    return {"y": np.maximum(x, 0)}


def absolute_value(x):
    return {"y": np.abs(x)}


variants = {"This is the gradient of |x|: below zero the ReLU is flat.": absolute_value}

right = {
    "dy_dx": [
        "np.diag(1.0 * (x > 0))",
        "dy_dx[i,j] = [i=j] [x[i]>0]",
    ],
    "dx": [
        "dy * (x > 0)",
        "np.where(y > 0, dy, 0)",
        "dx[i] = dy[i] [x[i]>0]",
        "dx[i] = dy[i] if x[i] > 0 else 0",
    ],
}

wrong = {
    "dy_dx": {
        "The slope is 1 only above zero. Below zero the output does not change.": "np.eye(D)",
        "This is the output. The slope of a copy is 1, not the value that is copied.": "np.diag(y)",
        "For i ≠ j, output i does not depend on input j: only the diagonal is nonzero.": (
            "np.outer(1.0 * (x > 0), 1.0 * (x > 0))"
        ),
    },
    "dx": {
        "You applied the ReLU to the upstream. What counts is the sign of the input.": (
            "np.maximum(dy, 0)"
        ),
        "The slope above zero is 1. You multiplied by the output itself.": "dy * y",
        "This is the local slope. Multiply it by the upstream.": "1.0 * (x > 0)",
        "You let everything pass. Below zero the output does not change, so nothing should pass.": (
            "dy"
        ),
    },
}
