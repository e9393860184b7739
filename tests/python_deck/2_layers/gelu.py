"""The GELU in its form with tanh, which is taken as the definition."""

import numpy as np

answers = {"dx": "backward message"}
sizes = {"D": ("x", 0)}
assume = "a = √(2/π) and c = 0.044715"
hints = ["The output is a product of x and a gate, and the gate depends on x as well."]


def sample(rng):
    return {
        "x": 1.2 * rng.standard_normal(rng.integers(4, 9)),
        "a": np.sqrt(2 / np.pi),
        "c": 0.044715,
    }


def gate(x, a, c):
    return np.tanh(a * (x + c * x**3))


def let(x, a, c):
    return {"t": gate(x, a, c)}


def forward(x, a, c):
    """y[i] = x[i] / 2 (1 + tanh(a (x[i] + c x[i]^3)))."""
    return {"y": x / 2 * (1 + gate(x, a, c))}


def with_sigmoid(x, a, c):
    return {"y": x / (1 + np.exp(-1.702 * x))}


def without_cube(x, a, c):
    return {"y": x / 2 * (1 + np.tanh(a * x))}


variants = {
    "This is the gradient of x σ(1.702 x), a coarser approximation of the GELU.": with_sigmoid,
    "This is the gradient without the cubic term.": without_cube,
}

terms = {
    "dx": {
        "the gate": lambda dy, t: dy * (1 + t) / 2,
        "the slope of the gate": lambda dy, x, t, a, c: (
            dy * x / 2 * (1 - t**2) * a * (1 + 3 * c * x**2)
        ),
    }
}

right = {
    "dx": [
        "dy * ((1 + t) / 2 + x / 2 * (1 - t**2) * a * (1 + 3 * c * x**2))",
        "u = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)\n"
        "du = np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * x**2)\n"
        "dx = dy * (0.5 * (1 + np.tanh(u)) + 0.5 * x * du / np.cosh(u) ** 2)",
        "dx[i] = dy[i] ((1 + t[i])/2 + (x[i]/2) (1 - t[i]^2) a (1 + 3 c x[i]^2))",
        "dx_i = dy_i (1/2 (1 + t_i) + 1/2 x_i (1 - t_i^2) (a + 3 a c x_i^2))",
    ]
}

wrong = {
    "dx": {
        "The gate was held fixed. It depends on x: the product rule has a second term.": (
            "dy * (1 + t) / 2"
        ),
        "The inner derivative a (1 + 3 c x²) is missing after the slope of tanh.": (
            "dy * ((1 + t) / 2 + x / 2 * (1 - t**2))"
        ),
        "The derivative of x³ is 3 x²: the 3 is missing.": (
            "dy * ((1 + t) / 2 + x / 2 * (1 - t**2) * a * (1 + c * x**2))"
        ),
        "The factor x is missing from the second term of the product rule.": (
            "dy * ((1 + t) / 2 + (1 - t**2) / 2 * a * (1 + 3 * c * x**2))"
        ),
        "The slope of tanh is 1 - t². You wrote the slope of the sigmoid.": (
            "dy * ((1 + t) / 2 + x / 2 * t * (1 - t) * a * (1 + 3 * c * x**2))"
        ),
    }
}
