"""Cross-entropy of recall on the forgetting curve of FSRS-6."""

import numpy as np

answers = {
    "dL_ds": "gradient with respect to the logarithm of stability",
    "dL_dw_20": "gradient with respect to the decay",
}
sizes = {"N": ("s", 0)}
assume = "every y_n is 0 or 1, t_n > 0, c_n > 0 and w_20 > 0"
hints = [
    "Insert r = log R between the curve and the loss. What is the slope of L with respect to r?",
    "The decay appears in two places: one of them is f.",
]


def sample(rng):
    """Reviews somewhat early or late, of them at least one recalled and one forgotten."""
    N = rng.integers(4, 9)
    s = rng.uniform(-1, 3, N)
    y = rng.integers(0, 2, N)
    y[1] = 1 - y[0]
    return {
        "s": s,
        "t": np.ceil(np.exp(s) * rng.uniform(0.3, 4, N)).astype(int),
        "y": y,
        "c": rng.uniform(0.25, 1, N),
        "w_20": np.array(rng.uniform(0.15, 0.6)),
    }


def let(s, t, w_20):
    f = 0.9 ** (-1 / w_20) - 1
    x = f * t * np.exp(-s)
    return {"f": f, "x": x, "R": (1 + x) ** -w_20}


def forward(s, t, y, c, w_20):
    x = (0.9 ** (-1 / w_20) - 1) * t * np.exp(-s)
    R = (1 + x) ** -w_20
    return {"L": -(c * (y * np.log(R) + (1 - y) * np.log(1 - R))).sum()}


def reference(s, y, c, w_20, f, x, R):
    slope = c * (R - y) / (1 - R)
    late = x / (1 + x)
    bend = np.log(1 + x) + (1 + f) * np.log(0.9) / (w_20 * f) * late
    return {"dL_ds": w_20 * slope * late, "dL_dw_20": -(slope * bend).sum()}


def exponential(s, t, y, c, w_20):
    R = 0.9 ** (t * np.exp(-s))
    return {"L": -(c * (y * np.log(R) + (1 - y) * np.log(1 - R))).sum() + 0 * w_20}


def unweighted(s, t, y, c, w_20):
    return forward(s, t, y, 0 * c + 1, w_20)


def averaged(s, t, y, c, w_20):
    return {"L": forward(s, t, y, c, w_20)["L"] / len(s)}


variants = {
    "This is the gradient for exponential forgetting, R = 0.9^(t/S).": exponential,
    "This is the gradient without the weights c.": unweighted,
    "This is the gradient of the mean over the reviews; the loss is a sum.": averaged,
}

terms = {
    "dL_ds": {
        "the term of recalled reviews": lambda c, y, x, w_20: -c * y * w_20 * x / (1 + x),
        "the term of forgotten reviews": lambda c, y, x, R, w_20: (
            c * (1 - y) * R / (1 - R) * w_20 * x / (1 + x)
        ),
    },
    "dL_dw_20": {
        "the term of the exponent": lambda c, y, x, R: (
            -(c * (R - y) / (1 - R) * np.log(1 + x)).sum()
        ),
        "the term through f": lambda c, y, x, R, f, w_20: (
            -(c * (R - y) / (1 - R) * x / (1 + x)).sum() * (1 + f) * np.log(0.9) / (w_20 * f)
        ),
    },
}

right = {
    "dL_ds": [
        "w_20 * c * (R - y) / (1 - R) * x / (1 + x)",
        "-c * (y - (1 - y) * R / (1 - R)) * w_20 * x / (1 + x)",
        "dL_ds[n] = w_20 c[n] ((R[n] - y[n]) / (1 - R[n])) (x[n] / (1 + x[n]))",
        "dL_ds_n = c_n w_20 (x_n / (1 + x_n)) (R_n/(1 - R_n) if y_n = 0 else -1)",
    ],
    "dL_dw_20": [
        "g = c * (R - y) / (1 - R)\n"
        "-(g * (log(1 + x) + (1 + f) * log(0.9) / (w_20 * f) * x / (1 + x))).sum()",
        "h = (1 + f) log(0.9) / (w_20 f)\n"
        "dL_dw_20 = -sum_n c[n] ((R[n] - y[n]) / (1 - R[n])) (log(1 + x[n]) + h x[n] / (1 + x[n]))",
    ],
}

wrong = {
    "dL_ds": {
        "This is the gradient with respect to S itself: s is its logarithm, and dS/ds = S.": (
            "w_20 * c * (R - y) / (1 - R) * x / (1 + x) * exp(-s)"
        ),
        "The sign is flipped: a greater stability means less lateness and so a higher "
        "probability of recall.": ("w_20 * c * (y - R) / (1 - R) * x / (1 + x)"),
        "On a logistic curve, R - y would be the whole message. On this card, 1 - R "
        "remains in the denominator, and the slope of log R is different.": "c * (R - y)",
        "The factor R does not belong here: the R in dR/dr cancels the 1/R in the slope of the "
        "loss with respect to R.": ("w_20 * c * (R - y) * R / (1 - R) * x / (1 + x)"),
        "The slope of log(1 + x) is 1/(1 + x): divide by 1 + x.": (
            "w_20 * c * (R - y) / (1 - R) * x"
        ),
        "You counted only the cards that were recalled. Forgotten cards count as well.": (
            "-w_20 * c * y * x / (1 + x)"
        ),
        "The factor w_20 of the exponent is missing.": "c * (R - y) / (1 - R) * x / (1 + x)",
        "Each review has a stability of its own, so nothing is summed.": (
            "(w_20 * c * (R - y) / (1 - R) * x / (1 + x)).sum()"
        ),
    },
    "dL_dw_20": {
        "The factor f depends on the decay too: it holds R at 0.9 after S days.": (
            "-(c * (R - y) / (1 - R) * log(1 + x)).sum()"
        ),
        "This is only the path through f. The decay is also the exponent.": (
            "-(c * (R - y) / (1 - R) * x / (1 + x)).sum() * (1 + f) * log(0.9) / (w_20 * f)"
        ),
        "The sign of the term through f is flipped: f falls as the decay grows.": (
            "-(c * (R - y) / (1 - R) * (log(1 + x) - (1 + f) * log(0.9) / (w_20 * f)"
            " * x / (1 + x))).sum()"
        ),
        "The sign is flipped: log R is minus the decay times a logarithm.": (
            "(c * (R - y) / (1 - R) * (log(1 + x) + (1 + f) * log(0.9) / (w_20 * f)"
            " * x / (1 + x))).sum()"
        ),
        "The derivative of f + 1 is a multiple of f + 1, not of f.": (
            "-(c * (R - y) / (1 - R) * (log(1 + x) + log(0.9) / w_20 * x / (1 + x))).sum()"
        ),
        "All reviews share the decay: sum over them.": (
            "-c * (R - y) / (1 - R) * (log(1 + x) + (1 + f) * log(0.9) / (w_20 * f) * x / (1 + x))"
        ),
    },
}
