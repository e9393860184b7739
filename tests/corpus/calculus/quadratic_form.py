"""The quadratic form q = x^T A x of a matrix that need not be symmetric."""


def sample(rng):
    n = int(rng.integers(2, 6))
    return {"A": rng.standard_normal((n, n)), "x": rng.standard_normal(n)}


def forward(A, x):
    return {"q": x @ A @ x}


wrong = {"dq_dx": {"this holds for a symmetric A only": "2 * A @ x"}}
right = {
    "dq_dA": ["np.outer(x, x)", "dq_dA_ij = x_i x_j", "x x^T"],
    "dq_dx": [
        "(A + A.T) @ x",
        "dq_dx_i = sum_j (A_ij + A_ji) x_j",
        "(A + A^T) x",
        "A x + A^\\top x",
    ],
}
remarks = {
    "dq_dA": {"convention": ["dq x x^T"]},
    "dq_dx": {"orientation": ["x^T (A + A^T)"], "convention": ["dq * (A + A.T) @ x"]},
}
mistakes = {
    "dq_dA": {
        "sign": ["-x x^T"],
        "factor": ["2 x x^T"],
        "partly": ["d = np.outer(x, x)\nd[0, 0] = 0\ndq_dA = d"],
        "over-summed": ["x.sum() * x"],
    },
    "dq_dx": {
        "known-mistake": ["2 A x", "dq_dx_i = 2 sum_j A_ij x_j", "2 * A.dot(x)", "A x + A x"],
        "sign": ["-(A + A^T) x"],
        "factor": ["(A + A.T) @ x / 2"],
        "one-edit": ["(A - A^T) x"],
        "not-summed": ["(A + A.T) * x", "dq_dx = (A + A^T) diag(x)"],
        "unexplained": ["A.T @ x"],
    },
}
