"""x^k with k one of 0, 1, 2, 3. Source: PyTorch pow (scalar exponent); JAX integer_pow."""


def sample(rng):
    n = rng.integers(2, 7)
    return {
        "x": rng.choice([-1.0, 1.0], n) * rng.uniform(0.4, 2.0, n),
        "k": int(rng.integers(4)),
    }


def forward(x, k):
    return {"y": x**k}
