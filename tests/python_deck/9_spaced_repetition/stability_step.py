"""What a recall adds to stability in FSRS-6, for many cards at once."""

import numpy as np

answers = {
    "ds": "backward message to the logarithm of stability",
    "dD": "backward message to the difficulty",
    "dw_9": "parameter message to w_9",
}
sizes = {"N": ("s", 0)}
assume = "every card was recalled and rated Good; t_n > 0 and 1 ≤ D_n ≤ 10; w_9, w_10 and w_20 > 0"
hints = [
    "First treat a and b as inputs: what are the slopes of u with respect to them?",
    "In how many places does s appear? Two of them are inside a and R.",
]


def sample(rng):
    """Cards somewhat early or late, with parameters around the published ones."""
    N = rng.integers(4, 9)
    s = rng.uniform(-1, 3, N)
    return {
        "s": s,
        "D": rng.uniform(1.5, 9.5, N),
        "t": np.ceil(np.exp(s) * rng.uniform(0.4, 4, N)).astype(int),
        "w_8": np.array(rng.uniform(-1, 2)),
        "w_9": np.array(rng.uniform(0.1, 0.5)),
        "w_10": np.array(rng.uniform(0.6, 2)),
        "w_20": np.array(rng.uniform(0.15, 0.6)),
    }


def let(s, D, t, w_8, w_9, w_10, w_20):
    x = (0.9 ** (-1 / w_20) - 1) * t * np.exp(-s)
    R = (1 + x) ** -w_20
    a = np.exp(w_8 - w_9 * s) * (11 - D)
    return {"x": x, "R": R, "a": a, "b": np.exp(w_10 * (1 - R)) - 1}


def forward(s, D, t, w_8, w_9, w_10, w_20):
    R = (1 + (0.9 ** (-1 / w_20) - 1) * t * np.exp(-s)) ** -w_20
    a = np.exp(w_8 - w_9 * s) * (11 - D)
    b = np.exp(w_10 * (1 - R)) - 1
    return {"u": s + np.log(1 + a * b)}


def reference(s, D, w_9, w_10, w_20, x, R, a, b, du):
    share = a * b / (1 + a * b)
    by_surprise = a / (1 + a * b)
    through_recall = -w_10 * (b + 1) * R * w_20 * x / (1 + x)
    return {
        "ds": du * (1 - w_9 * share + by_surprise * through_recall),
        "dD": -du * share / (11 - D),
        "dw_9": -(du * share * s).sum(),
    }


def hard(s, D, t, w_8, w_9, w_10, w_20):
    return forward(s, D, t, w_8 + np.log(0.6), w_9, w_10, w_20)


def exponential(s, D, t, w_8, w_9, w_10, w_20):
    R = 0.9 ** (t * np.exp(-s)) + 0 * w_20
    a = np.exp(w_8 - w_9 * s) * (11 - D)
    return {"u": s + np.log(1 + a * (np.exp(w_10 * (1 - R)) - 1))}


variants = {
    "This is the message for a card that was rated Hard, with a factor of 0.6.": hard,
    "This is the message for exponential forgetting, R = 0.9^(t/S).": exponential,
}

terms = {
    "ds": {
        "the message to the summand s": lambda du: du,
        "the message through saturation, that is through a": lambda du, a, b, w_9: (
            -du * w_9 * a * b / (1 + a * b)
        ),
        "the message through recall, that is through b": lambda du, a, b, R, x, w_10, w_20: (
            -du * w_10 * a * (b + 1) / (1 + a * b) * R * w_20 * x / (1 + x)
        ),
    }
}

right = {
    "ds": [
        "du * (1 - (w_9 * a * b + w_10 * a * (b + 1) * R * w_20 * x / (1 + x)) / (1 + a * b))",
        "q = a / (1 + a * b)\n"
        "du * (1 - w_9 * q * b - w_10 * q * exp(w_10 * (1 - R)) * R * w_20 * x / (1 + x))",
        "q[n] = a[n] / (1 + a[n] b[n])\n"
        "ds[n] = du[n] (1 - w_9 q[n] b[n] - w_10 q[n] (b[n] + 1) R[n] w_20 (x[n] / (1 + x[n])))",
    ],
    "dD": [
        "-du / (11 - D) * a * b / (1 + a * b)",
        "dD[n] = -(du[n] / (11 - D[n])) (a[n] b[n]) / (1 + a[n] b[n])",
        "dD_n = -δ_n e^(w_8 - w_9 s_n) b_n / (1 + a_n b_n)",
    ],
    "dw_9": [
        "-(du * s * a * b / (1 + a * b)).sum()",
        "-du @ (s * a * b / (1 + a * b))",
        "dw_9 = -sum_n du[n] s[n] (a[n] b[n]) / (1 + a[n] b[n])",
    ],
}

wrong = {
    "ds": {
        "The probability of recall depends on the stability too: the path through R is missing.": (
            "du * (1 - w_9 * a * b / (1 + a * b))"
        ),
        "The lift depends on the stability too: the path through a, with the factor w_9, is "
        "missing.": ("du * (1 - w_10 * a * (b + 1) * R * w_20 * x / (1 + x) / (1 + a * b))"),
        "The old stability is also a term of the new one: the 1 is missing.": (
            "-du * (w_9 * a * b + w_10 * a * (b + 1) * R * w_20 * x / (1 + x)) / (1 + a * b)"
        ),
        "The sign of the path through recall is flipped: a higher probability of recall means "
        "less surprise.": (
            "du * (1 - (w_9 * a * b - w_10 * a * (b + 1) * R * w_20 * x / (1 + x)) / (1 + a * b))"
        ),
        "The slope of e^(w_10 (1-R)) - 1 is a multiple of b + 1, not of b.": (
            "du * (1 - (w_9 * a * b + w_10 * a * b * R * w_20 * x / (1 + x)) / (1 + a * b))"
        ),
        "The factor w_20 of dR/ds is missing: it comes down from the exponent.": (
            "du * (1 - (w_9 * a * b + w_10 * a * (b + 1) * R * x / (1 + x)) / (1 + a * b))"
        ),
        "The slope of the logarithm is missing: divide both terms by 1 + a b.": (
            "du * (1 - w_9 * a * b - w_10 * a * (b + 1) * R * w_20 * x / (1 + x))"
        ),
    },
    "dD": {
        "The sign is flipped: a difficult card gains less.": (
            "du / (11 - D) * a * b / (1 + a * b)"
        ),
        "The lift a is proportional to 11 - D, so its slope is -a divided by 11 - D.": (
            "-du * a * b / (1 + a * b)"
        ),
        "The slope of the logarithm is missing: divide by 1 + a b.": "-du / (11 - D) * a * b",
    },
    "dw_9": {
        "The sign is flipped: w_9 has a minus sign in the exponent.": (
            "(du * s * a * b / (1 + a * b)).sum()"
        ),
        "The exponent contains w_9 times s: the factor s is missing.": (
            "-(du * a * b / (1 + a * b)).sum()"
        ),
        "The saturation is S^(-w_9). Its slope with respect to w_9 contains the logarithm"
        " s, not S.": ("-(du * exp(s) * a * b / (1 + a * b)).sum()"),
        "The slope of the logarithm is missing: divide by 1 + a b.": "-(du * s * a * b).sum()",
        "All cards share the parameter: sum over them.": "-du * s * a * b / (1 + a * b)",
    },
}
