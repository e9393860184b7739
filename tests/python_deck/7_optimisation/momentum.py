"""Two steps of gradient descent with momentum, with gradients that are held fixed."""

import numpy as np

answers = {
    "dp": "backward message to the first gradient",
    "dv_0": "backward message to the initial velocity",
    "dbeta": "message to the momentum",
}
sizes = {"D": ("p", 0)}
symbols = {"beta": "β", "eta": "η"}
assume = (
    "0 < β < 1 and η > 0; the gradients p and q are inputs of their own, the second does not "
    "depend on the weights"
)
hints = ["Write w_2 as a formula in w_0, v_1 and q. How many times does v_1 appear?"]


def sample(rng):
    D = rng.integers(3, 8)
    vectors = {name: rng.standard_normal(D) for name in ("w_0", "v_0", "p", "q")}
    return vectors | {
        "beta": np.array(rng.uniform(0.3, 0.9)),
        "eta": np.array(rng.uniform(0.2, 0.8)),
    }


def let(v_0, p, beta):
    return {"v_1": beta * v_0 + p}


def forward(w_0, v_0, p, q, beta, eta):
    v_1 = beta * v_0 + p
    v_2 = beta * v_1 + q
    return {"w_2": w_0 - eta * v_1 - eta * v_2}


def averaged(w_0, v_0, p, q, beta, eta):
    return forward(w_0, v_0, (1 - beta) * p, (1 - beta) * q, beta, eta)


def nesterov(w_0, v_0, p, q, beta, eta):
    v_1 = beta * v_0 + p
    v_2 = beta * v_1 + q
    return {"w_2": w_0 - eta * (p + beta * v_1) - eta * (q + beta * v_2)}


variants = {
    "This is the gradient for a running average, where gradients enter with 1 - β.": averaged,
    "This is the gradient of Nesterov's momentum, which looks one step ahead.": nesterov,
}

terms = {
    "dbeta": {
        "the term of the first step": lambda dw_2, v_0, eta: -eta * dw_2 @ v_0,
        "the term of the second step": lambda dw_2, v_0, v_1, beta, eta: (
            -eta * dw_2 @ (v_1 + beta * v_0)
        ),
    }
}

right = {
    "dp": [
        "-eta * (1 + beta) * dw_2",
        "dp[i] = -eta (1 + beta) dw_2[i]",
        r"dp = -\eta (1 + \beta) \delta",
    ],
    "dv_0": [
        "-eta * (beta + beta**2) * dw_2",
        "dv_0[i] = -eta beta (1 + beta) dw_2[i]",
        r"dv_0 = -\eta \beta (1 + \beta) \delta",
    ],
    "dbeta": [
        "-eta * dw_2 @ (v_1 + (1 + beta) * v_0)",
        "-eta * (dw_2 * (p + (1 + 2 * beta) * v_0)).sum()",
        "dbeta = -eta sum_i dw_2[i] (p[i] + (1 + 2 beta) v_0[i])",
        r"dbeta = -\eta \delta^\top ((1 + 2 \beta) v_0 + p)",
    ],
}

wrong = {
    "dp": {
        "Through the velocity, the first gradient affects the second step too.": "-eta * dw_2",
        "This is only what reaches the second step. The first gradient also affects its own "
        "step.": ("-eta * beta * dw_2"),
        "The sign is flipped: steps go against the velocity.": "eta * (1 + beta) * dw_2",
        "The learning rate is missing: both steps are scaled by it.": "-(1 + beta) * dw_2",
    },
    "dv_0": {
        "The initial velocity enters the first step with the factor β. This is the message to "
        "the gradient p.": "-eta * (1 + beta) * dw_2",
        "The initial velocity affects the second step too.": "-eta * beta * dw_2",
        "This is only what reaches the second step. The initial velocity also affects the first.": (
            "-eta * beta**2 * dw_2"
        ),
        "The sign is flipped: steps go against the velocity.": ("eta * beta * (1 + beta) * dw_2"),
    },
    "dbeta": {
        "The velocity of the first step, which you held fixed, also depends on β.": (
            "-eta * dw_2 @ v_1"
        ),
        "The second step, which contains β as well, is missing.": "-eta * dw_2 @ v_0",
        "In the second step, the momentum multiplies v_1. You used v_0 there too.": (
            "-eta * dw_2 @ (v_0 + (1 + beta) * v_0)"
        ),
        "In the second step, β appears both in front of v_1 and inside it. You differentiated "
        "only one of the two.": ("-eta * dw_2 @ (v_0 + v_1)"),
        "The momentum is one number: sum over the weights.": (
            "-eta * dw_2 * (v_1 + (1 + beta) * v_0)"
        ),
    },
}
