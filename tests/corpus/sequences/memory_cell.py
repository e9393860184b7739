"""A memory cell with its output gate: c = f p + i n and h = o tanh(c). Two outputs."""

import numpy as np


def sample(rng):
    d = int(rng.integers(2, 7))
    names = ("f", "i", "o")
    gates = {name: rng.uniform(0.1, 0.9, d) for name in names}
    return gates | {"p": rng.standard_normal(d), "n": rng.standard_normal(d)}


def forward(f, i, o, p, n):
    c = f * p + i * n
    return {"c": c, "h": o * np.tanh(c)}


answers = ["do", "dp", "dn", "dh_do"]
terms = {
    "dp": {
        "the upstream of c": lambda dc, f: dc * f,
        "the upstream of h": lambda dh, o, c, f: dh * o * (1 - np.tanh(c) ** 2) * f,
    }
}
right = {
    "do": ["dh * np.tanh(c)", "dh ⊙ tanh(c)"],
    "dp": [
        "(dc + dh * o * (1 - np.tanh(c)**2)) * f",
        "(dc + dh ⊙ o ⊙ (1 - tanh(c) ⊙ tanh(c))) ⊙ f",
        "dp_a = (dc_a + dh_a o_a (1 - tanh(c_a)^2)) f_a",
    ],
    "dn": [
        "(dc + dh * o * (1 - np.tanh(c)**2)) * i",
        "(dc + dh ⊙ o ⊙ (1 - tanh(c) ⊙ tanh(c))) ⊙ i",
    ],
    "dh_do": ["diag(np.tanh(c))", "dh_do[a,b] = [a=b] tanh(c_a)"],
}
mistakes = {
    "do": {
        "upstream-ignored": ["np.tanh(c)", "tanh(c)"],
        "one-edit": ["dc * np.tanh(c)", "dh ⊙ tanh(p)"],
        "sign": ["-dh ⊙ tanh(c)"],
        "unexplained": ["dh * c"],
        "other-gradient": ["diag(np.tanh(c))"],
    },
    "dp": {
        "missing-term": ["dc * f", "dh * o * (1 - np.tanh(c)**2) * f", "dc ⊙ f"],
        "term-factor": ["(dc - dh * o * (1 - np.tanh(c)**2)) * f"],
        "other-gradient": ["(dc + dh * o * (1 - np.tanh(c)**2)) * i"],
        "unexplained": ["(dc + dh * o) * f"],
    },
    "dn": {
        "other-gradient": ["(dc + dh * o * (1 - np.tanh(c)**2)) * f"],
        "one-edit": ["(dc - dh * o * (1 - np.tanh(c)**2)) * i"],
    },
    "dh_do": {"sign": ["-diag(np.tanh(c))"], "one-edit": ["diag(np.tanh(p))"]},
}
