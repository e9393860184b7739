"""A valid convolution with dilation 2. Source: PyTorch convolution in derivatives.yaml."""


def sample(rng):
    k, n = rng.choice([2, 3]), rng.choice([6, 7, 8, 9])
    return {"x": rng.standard_normal(n), "w": rng.standard_normal(k)}


def forward(x, w):
    t = len(x) - 2 * (len(w) - 1)
    return {"y": sum(w[k] * x[2 * k : 2 * k + t] for k in range(len(w)))}
