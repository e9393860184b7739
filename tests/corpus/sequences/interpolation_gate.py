"""The update of a gated recurrent unit: g = (1 - z) h + z n."""


def sample(rng):
    d = int(rng.integers(3, 8))
    return {
        "z": rng.uniform(0.1, 0.9, d),
        "h": rng.standard_normal(d),
        "n": rng.standard_normal(d),
    }


def forward(z, h, n):
    return {"g": (1 - z) * h + z * n}


right = {
    "dz": ["dg * (n - h)", "dz_i = dg_i (n_i - h_i)", "dg ⊙ (n - h)"],
    "dh": ["dg * (1 - z)", "dh_i = dg_i (1 - z_i)", "δ ⊙ (1 - z)"],
    "dn": ["dg * z", "δ ⊙ z"],
}
terms = {"dz": {"the candidate": lambda dg, n: dg * n, "the old state": lambda dg, h: -dg * h}}
mistakes = {
    "dz": {
        "sign": ["dg * (h - n)", "dg ⊙ (h - n)"],
        "missing-term": ["dg * n", "-dg * h"],
        "term-factor": ["dg * (n + h)", "dz_i = dg_i (n_i - 2 h_i)"],
        "upstream-ignored": ["n - h", "dz_i = n_i - h_i"],
        "input-for-output": ["dg * (g - h)"],
        "over-summed": ["sum(dg * (n - h))"],
    },
    "dh": {
        "other-gradient": ["dg * z", "dg ⊙ (n - h)"],
        "one-edit": ["dg * (1 + z)", "dh_i = dg_i (2 - z_i)"],
        "jacobian": ["diag(1 - z)"],
        "upstream-ignored": ["1 - z"],
        "flipped": ["(dg * (1 - z))[::-1]"],
    },
    "dn": {"other-gradient": ["dg * (1 - z)"], "upstream-ignored": ["z"], "one-edit": ["dg * h"]},
}
