"""One step of an LSTM from its pre-activations on; cell and state are two outputs."""

import numpy as np

answers = {
    "dc_prev": "backward message to the previous cell",
    "da_f": "backward message to the forget gate's pre-activation",
    "da_g": "backward message to the candidate's pre-activation",
    "da_o": "backward message to the output gate's pre-activation",
}
sizes = {"D": ("c_prev", 0)}
symbols = {"c_prev": "c_{t-1}"}
hints = [
    "The new cell reaches the loss along two paths. Add up their messages, and give the sum a name."
]


def sample(rng):
    D = rng.integers(3, 8)
    return {name: rng.standard_normal(D) for name in ("a_f", "a_w", "a_o", "a_g", "c_prev")}


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def let(a_f, a_w, a_o, a_g):
    return {"f": sigmoid(a_f), "w": sigmoid(a_w), "o": sigmoid(a_o), "g": np.tanh(a_g)}


def forward(a_f, a_w, a_o, a_g, c_prev):
    c = sigmoid(a_f) * c_prev + sigmoid(a_w) * np.tanh(a_g)
    return {"c": c, "h": sigmoid(a_o) * np.tanh(c)}


def without_last_tanh(a_f, a_w, a_o, a_g, c_prev):
    c = sigmoid(a_f) * c_prev + sigmoid(a_w) * np.tanh(a_g)
    return {"c": c, "h": sigmoid(a_o) * c}


variants = {"This is the gradient if the cell is read without a tanh.": without_last_tanh}


def through_state(dh, o, c):
    """What arrives at the cell through the state."""
    return dh * o * (1 - np.tanh(c) ** 2)


terms = {
    "dc_prev": {
        "the message that arrives at the cell directly": lambda dc, f: dc * f,
        "the message that arrives through the state": lambda dh, o, c, f: (
            through_state(dh, o, c) * f
        ),
    },
    "da_f": {
        "the message that arrives at the cell directly": lambda dc, c_prev, f: (
            dc * c_prev * f * (1 - f)
        ),
        "the message that arrives through the state": lambda dh, o, c, c_prev, f: (
            through_state(dh, o, c) * c_prev * f * (1 - f)
        ),
    },
    "da_g": {
        "the message that arrives at the cell directly": lambda dc, w, g: dc * w * (1 - g**2),
        "the message that arrives through the state": lambda dh, o, c, w, g: (
            through_state(dh, o, c) * w * (1 - g**2)
        ),
    },
}

TO_CELL = "e = dc + dh * o * (1 - np.tanh(c) ** 2)\n"
TO_CELL_BY_INDEX = "e[i] = dc[i] + dh[i] o[i] (1 - tanh(c[i])^2)\n"
TO_CELL_BY_MATRIX = r"e = dc + dh \odot o \odot (1 - \tanh(c) \odot \tanh(c))" + "\n"

right = {
    "dc_prev": [
        TO_CELL + "dc_prev = e * f",
        TO_CELL_BY_INDEX + "dc_prev[i] = e[i] f[i]",
        TO_CELL_BY_MATRIX + r"dc_prev = e \odot f",
    ],
    "da_f": [
        TO_CELL + "da_f = e * c_prev * f * (1 - f)",
        TO_CELL_BY_INDEX + "da_f[i] = e[i] c_prev[i] f[i] (1 - f[i])",
        TO_CELL_BY_MATRIX + r"da_f = e \odot c_{t-1} \odot f \odot (1 - f)",
    ],
    "da_g": [
        TO_CELL + "da_g = e * w * (1 - g**2)",
        TO_CELL_BY_INDEX + "da_g[i] = e[i] w[i] (1 - g[i]^2)",
        TO_CELL_BY_MATRIX + r"da_g = e \odot w \odot (1 - g \odot g)",
    ],
    "da_o": [
        "dh * np.tanh(c) * o * (1 - o)",
        "dh * h * (1 - o)",
        "da_o[i] = dh[i] tanh(c[i]) o[i] (1 - o[i])",
        r"da_o = dh \odot \tanh(c) \odot o \odot (1 - o)",
    ],
}

SLOPE_FORGOTTEN = "e = dc + dh * o\n"

wrong = {
    "dc_prev": {
        "The state depends on the cell as well: the message through h is missing.": "dc * f",
        "The cell has an upstream of its own: dc is missing.": "dh * o * (1 - np.tanh(c) ** 2) * f",
        "The cell is read through a tanh, whose slope is missing.": SLOPE_FORGOTTEN
        + "dc_prev = e * f",
        "The forget gate is missing: it scales what is kept of the previous cell.": TO_CELL
        + "dc_prev = e",
        "The slope of the tanh is 1 - tanh². You squared the cell, not its tanh.": (
            "e = dc + dh * o * (1 - c**2)\ndc_prev = e * f"
        ),
    },
    "da_f": {
        "The state depends on the cell as well: the message through h is missing.": (
            "dc * c_prev * f * (1 - f)"
        ),
        "The slope of the sigmoid is missing: this is the message to the gate.": (
            TO_CELL + "da_f = e * c_prev"
        ),
        "The partner of the forget gate is the previous cell, not the new one.": (
            TO_CELL + "da_f = e * c * f * (1 - f)"
        ),
        "The slope of a gate is that of a sigmoid, f (1 - f). You used the slope of the tanh.": (
            TO_CELL + "da_f = e * c_prev * (1 - f**2)"
        ),
    },
    "da_g": {
        "The state depends on the cell as well: the message through h is missing.": (
            "dc * w * (1 - g**2)"
        ),
        "The slope of the candidate is that of the tanh, 1 - g². You used the slope of a "
        "sigmoid.": (TO_CELL + "da_g = e * w * g * (1 - g)"),
        "The write gate is missing: it scales what the candidate adds to the cell.": (
            TO_CELL + "da_g = e * (1 - g**2)"
        ),
    },
    "da_o": {
        "The output gate does not affect the cell, so dc does not reach the gate.": (
            "(dh + dc) * np.tanh(c) * o * (1 - o)"
        ),
        "The slope of the sigmoid is missing: this is the message to the gate.": "dh * np.tanh(c)",
        "The partner of the output gate is the tanh of the cell.": "dh * c * o * (1 - o)",
        "Your answer contains the output gate twice: it is already part of h.": (
            "dh * h * o * (1 - o)"
        ),
    },
}
