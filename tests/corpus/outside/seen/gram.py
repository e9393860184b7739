"""G = X^T X. Source: Wikipedia, Matrix calculus; PyTorch mm in derivatives.yaml."""


def sample(rng):
    m, n = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"X": rng.standard_normal((m, n))}


def forward(X):
    return {"G": X.T @ X}
