"""Y = X X. Source: PyTorch matrix_power in derivatives.yaml; Wikipedia, Matrix calculus."""


def sample(rng):
    n = rng.integers(2, 6)
    return {"X": rng.standard_normal((n, n))}


def forward(X):
    return {"Y": X @ X}
