"""a^b with both moving. Source: PyTorch pow (tensor, tensor) in derivatives.yaml."""

assume = "a > 0"


def sample(rng):
    n = rng.integers(2, 8)
    return {"a": rng.uniform(0.3, 2.5, n), "b": rng.standard_normal(n)}


def forward(a, b):
    return {"y": a**b}
