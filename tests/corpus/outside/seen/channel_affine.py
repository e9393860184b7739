"""One gain and offset a channel. Source: PyTorch native_batch_norm (weight, bias); FiLM."""


def sample(rng):
    n, c, t = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {
        "x": rng.standard_normal((n, c, t)),
        "g": rng.standard_normal(c),
        "b": rng.standard_normal(c),
    }


def forward(x, g, b):
    return {"y": g[:, None] * x + b[:, None]}
