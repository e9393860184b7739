"""An affine map of a batch with examples as rows: Y = X W + b."""

sizes = {"N": ("X", 0)}


def sample(rng):
    N, d, m = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    return {
        "X": rng.standard_normal((N, d)),
        "W": rng.standard_normal((d, m)),
        "b": rng.standard_normal(m),
    }


def forward(X, W, b):
    return {"Y": X @ W + b}


right = {
    "dX": ["dY @ W.T", "dX[n,i] = sum(m) dY[n,m] W[i,m]", "dY W^T"],
    "dW": ["X.T @ dY", "dW_{ij} = Σ_n X_{ni} dY_{nj}", "X^\\top dY"],
    "db": ["dY.sum(axis=0)", "db_j = sum_n dY_nj", "dY^T \\mathbf{1}"],
}
remarks = {"db": {"orientation": ["dY.sum(axis=0, keepdims=True)", "\\mathbf{1}^T dY"]}}
mistakes = {
    "dX": {
        "sign": ["-dY W^T"],
        "transposed": ["W dY^T"],
        "other-gradient": ["X.T @ dY"],
        "size-factor": ["dY @ W.T / N"],
        "upstream-ignored": ["np.ones_like(dY) @ W.T"],
    },
    "dW": {
        "size-factor": ["X.T @ dY / N", "1/N X^T dY", "dW_ij = 1/N sum_n X_ni dY_nj"],
        "transposed": ["dY.T @ X", "dY^T X"],
        "not-summed": ["X[:, :, None] * dY[:, None, :]"],
        "factor": ["X.T @ dY / 2"],
        "flipped": ["(X.T @ dY)[:, ::-1]"],
    },
    "db": {
        "size-factor": ["mean(dY, axis=0)"],
        "not-summed": ["dY"],
        "over-summed": ["np.sum(dY)", "sum(dY, keepdims=True)"],
        "not-accumulated": ["dY[0]"],
        "unexplained": ["b"],
    },
}
