"""A gain for each feature of a batch: Y_nj = g_j X_nj."""

sizes = {"N": ("X", 0)}


def sample(rng):
    N, d = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {"X": rng.standard_normal((N, d)), "g": rng.standard_normal(d)}


def forward(X, g):
    return {"Y": X * g}


right = {
    "dX": ["dY * g", "dX_nj = dY_nj g_j", "dY diag(g)"],
    "dg": ["(dY * X).sum(axis=0)", "dg_j = sum_n dY_nj X_nj", "(dY ⊙ X)^T \\mathbf{1}"],
}
mistakes = {
    "dX": {
        "upstream-ignored": ["g + 0 * X"],
        "transposed": ["diag(g) dY^T"],
        "sign": ["-dY diag(g)"],
    },
    "dg": {
        "not-summed": ["dY * X", "dY ⊙ X"],
        "over-summed": ["np.sum(dY * X)"],
        "size-factor": ["mean(dY * X, axis=0)"],
        "input-for-output": ["sum(dY * Y, axis=0)", "(dY ⊙ Y)^T \\mathbf{1}"],
        "upstream-ignored": ["X.sum(axis=0)"],
    },
}
