"""Inverted dropout with keep probability p and a fixed mask m: y = m x / p."""


def sample(rng):
    shape = rng.choice([3, 4, 5, 6], size=2, replace=False)
    mask = rng.random(shape) < 0.6
    mask[0, 0], mask[-1, -1] = True, False
    return {"x": rng.standard_normal(shape), "m": mask, "p": float(rng.uniform(0.4, 0.9))}


def forward(x, m, p):
    return {"y": m * x / p}


wrong = {"dx": {"the division by p belongs to the gradient, too": "dy * m"}}
right = {"dx": ["dy * m / p", "dx_ij = dy_ij m_ij / p", "1/p dy ⊙ m"]}
mistakes = {
    "dx": {
        "known-mistake": ["dy * m", "dx_ij = m_ij dy_ij", "m ⊙ dy"],
        "upstream-ignored": ["m / p"],
        "sign": ["-dy * m / p"],
        "partly": ["dy / p"],
        "one-edit": ["dy * m * p"],
        "unexplained": ["dy * (1 - m) / p"],
    }
}
