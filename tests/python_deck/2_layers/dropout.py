"""Inverted dropout with a mask that is given."""

answers = {"dx": "backward message"}
sizes = {"N": ("x", 0), "D": ("x", 1)}
assume = "the mask m holds zeros and ones, and 0 < r < 1"


def sample(rng):
    """Inputs, a mask (integers: a constant) that keeps some and drops some, and a drop rate."""
    N, D = rng.choice([3, 4, 5, 6], size=2, replace=False)
    m = rng.integers(0, 2, size=(N, D))
    m[0, :2] = 0, 1
    return {"x": rng.standard_normal((N, D)), "m": m, "r": rng.uniform(0.2, 0.45)}


def forward(x, m, r):
    """y[n, i] = m[n, i] x[n, i] / (1 - r)."""
    return {"y": m * x / (1 - r)}


def at_test_time(x, m, r):
    return {"y": 1.0 * x}


def scaled_at_test_time(x, m, r):
    return {"y": (1 - r) * x}


variants = {
    "This is the gradient at test time, when nothing is dropped.": at_test_time,
    "This is the gradient at test time of dropout without the scale, which multiplies by 1 - r "
    "instead.": scaled_at_test_time,
}

right = {
    "dx": [
        "dy * m / (1 - r)",
        "np.where(m == 1, dy / (1 - r), 0)",
        "dx[n,i] = dy[n,i] m[n,i] / (1 - r)",
        r"dx = \frac{1}{1 - r} (m \odot dy)",
    ]
}

wrong = {
    "dx": {
        "The mask is missing: a dropped component does not affect the output.": "dy / (1 - r)",
        "The scale is missing: the components that stay are divided by 1 - r.": "dy * m",
        "A component stays with probability 1 - r. You divided by the probability of being "
        "dropped.": ("dy * m / r"),
        "The mask is flipped: 1 marks a component that stays.": "dy * (1 - m) / (1 - r)",
        "The layer is linear: its slope does not contain the input.": "dy * m * x / (1 - r)",
    }
}
