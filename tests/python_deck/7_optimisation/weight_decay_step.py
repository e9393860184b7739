"""A scaled gradient step with an L2 penalty, and one with decoupled weight decay."""

answers = {
    "dp_dw": "local derivative of the step with the penalty",
    "dq_dw": "local derivative of the step with decoupled decay",
    "dw": "message to the weights, from both results",
}
sizes = {"D": ("w", 0)}
symbols = {"eta": "η", "lam": "λ"}
assume = "g and s are inputs of their own and do not depend on w; every s_i is positive"
hints = ["Write each rule as w_i times a factor, plus something without w_i."]


def sample(rng):
    D = rng.integers(3, 8)
    return {
        "w": rng.standard_normal(D),
        "g": rng.standard_normal(D),
        "s": rng.uniform(0.4, 2.5, size=D),
        "eta": rng.uniform(0.2, 0.6),
        "lam": rng.uniform(0.2, 0.8),
    }


def forward(w, g, s, eta, lam):
    return {
        "p": w - eta * (g + lam * w) / s,
        "q": w - eta * g / s - eta * lam * w,
    }


def without_half(w, g, s, eta, lam):
    return forward(w, g, s, eta, 2 * lam)


def exchanged(w, g, s, eta, lam):
    results = forward(w, g, s, eta, lam)
    return {"p": results["q"], "q": results["p"]}


variants = {
    "This is the gradient for the penalty λ‖w‖². On this card, the penalty has a 1/2, which "
    "cancels the 2.": (without_half),
    "You swapped the two rules: the penalty is divided by the scale.": exchanged,
}

terms = {
    "dw": {
        "the message through the step with the penalty": lambda dp, s, eta, lam: (
            (1 - eta * lam / s) * dp
        ),
        "the message through the step with decoupled decay": lambda dq, eta, lam: (
            (1 - eta * lam) * dq
        ),
    }
}

right = {
    "dp_dw": [
        "np.diag(1 - eta * lam / s)",
        "dp_dw[i,j] = [i=j] (1 - eta lam / s[i])",
        r"dp_dw = I - \eta \lambda diag(s)^{-1}",
    ],
    "dq_dw": [
        "(1 - eta * lam) * np.eye(D)",
        "dq_dw[i,j] = [i=j] (1 - eta lam)",
        r"dq_dw = (1 - \eta \lambda) I",
    ],
    "dw": [
        "(1 - eta * lam / s) * dp + (1 - eta * lam) * dq",
        "dw[i] = (1 - eta lam / s[i]) dp[i] + (1 - eta lam) dq[i]",
        r"dw = (I - \eta \lambda diag(s)^{-1}) dp + (1 - \eta \lambda) dq",
    ],
}

wrong = {
    "dp_dw": {
        "The penalty is part of the gradient, so it is divided by the scale too.": (
            "(1 - eta * lam) * np.eye(D)"
        ),
        "The copy of the weight is missing: the step starts from w.": "np.diag(-eta * lam / s)",
        "The sign of the penalty term is flipped: the step subtracts it.": (
            "np.diag(1 + eta * lam / s)"
        ),
        "You left out the penalty, whose gradient λ w depends on the weights.": "np.eye(D)",
    },
    "dq_dw": {
        "Decoupled decay bypasses the scale: it is not divided by s.": (
            "np.diag(1 - eta * lam / s)"
        ),
        "The learning rate scales the decay too.": "(1 - lam) * np.eye(D)",
        "The copy of the weight is missing: the step starts from w.": "-eta * lam * np.eye(D)",
        "One weight does not affect the others: the Jacobian is diagonal.": (
            "(1 - eta * lam) * np.ones((D, D))"
        ),
    },
    "dw": {
        "The weights affect q as well: the message from q is missing.": "(1 - eta * lam / s) * dp",
        "The weights affect p as well: the message from p is missing.": "(1 - eta * lam) * dq",
        "You treated both rules as decoupled decay. The penalty term is divided by the scale.": (
            "(1 - eta * lam) * (dp + dq)"
        ),
        "You treated both rules as a penalty. Decoupled decay bypasses the scale.": (
            "(1 - eta * lam / s) * (dp + dq)"
        ),
        "You left out the pull towards 0, which depends on the weights.": "dp + dq",
    },
}
