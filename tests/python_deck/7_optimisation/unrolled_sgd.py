"""A validation loss after one gradient step on a quadratic, as a function of how it began."""

import numpy as np

answers = {
    "dL_deta": "hypergradient with respect to the learning rate",
    "dL_dw": "gradient with respect to the initial weights",
}
sizes = {"D": ("w", 0)}
symbols = {"eta": "η"}
symmetric = ["A"]
assume = "A is symmetric; η > 0"
hints = [
    "Treat the step as a layer. What is its upstream?",
    "The initial weights act along two paths: where does w appear in the formula of u?",
]


def sample(rng):
    """A Hessian with curvatures of both signs; the learning rate is a variable."""
    D = rng.integers(3, 7)
    B = rng.standard_normal((D, D))
    return {
        "A": (B + B.T) / 2,
        "w": rng.standard_normal(D),
        "b": rng.standard_normal(D),
        "c": rng.standard_normal(D),
        "eta": np.array(rng.uniform(0.2, 0.6)),
    }


def let(A, w, b, eta):
    g = A @ w - b
    return {"g": g, "u": w - eta * g}


def forward(A, w, b, c, eta):
    u = w - eta * (A @ w - b)
    return {"L": ((u - c) ** 2).sum() / 2}


def ascent(A, w, b, c, eta):
    return forward(A, w, b, c, -eta)


def without_half(A, w, b, c, eta):
    return {"L": 2 * forward(A, w, b, c, eta)["L"]}


variants = {
    "This is the gradient for a step uphill, w + η g.": ascent,
    "This is the gradient of the squared distance without the 1/2.": without_half,
}

terms = {
    "dL_dw": {
        "the message to the starting point": lambda u, c: u - c,
        "the message through the training gradient": lambda A, u, c, eta: -eta * A @ (u - c),
    }
}

right = {
    "dL_deta": [
        "-g @ (u - c)",
        "-((A @ w - b) * (w - eta * (A @ w - b) - c)).sum()",
        "dL_deta = -sum_i g[i] (u[i] - c[i])",
        r"-g^\top (u - c)",
    ],
    "dL_dw": [
        "(u - c) - eta * A @ (u - c)",
        "dL_dw[i] = u[i] - c[i] - eta sum_j A[i,j] (u[j] - c[j])",
        r"dL_dw = (I - \eta A) (u - c)",
        r"dL_dw = (I - \eta A) (w - \eta (A w - b) - c)",
    ],
}

wrong = {
    "dL_deta": {
        "The sign is flipped: the step goes against the gradient.": "g @ (u - c)",
        "The upstream is the validation gradient after the step, not before it.": "-g @ (w - c)",
        "The derivative of the step with respect to η contains the training gradient g. You "
        "used the weights.": ("-w @ (u - c)"),
        "The factor η does not belong here: u is linear in η, so its derivative does not "
        "contain η.": ("-eta * g @ (u - c)"),
        "The learning rate is one number: sum over the weights.": "-g * (u - c)",
    },
    "dL_dw": {
        "The training gradient depends on w too: the term with the Hessian is missing. This is "
        "the first-order shortcut.": "u - c",
        "This is only the path through the training gradient; the step starts from w as well.": (
            "-eta * A @ (u - c)"
        ),
        "The upstream is the validation gradient after the step, not before it.": (
            "(w - c) - eta * A @ (w - c)"
        ),
        "The factor η of the step is missing.": "(u - c) - A @ (u - c)",
        "The sign is flipped: the step subtracts the gradient.": ("(u - c) + eta * A @ (u - c)"),
    },
}
