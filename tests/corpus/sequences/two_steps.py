"""Two linear recurrent steps with shared weights: y = W (W x + u) + v."""


def sample(rng):
    n = int(rng.integers(2, 6))
    return {
        "W": rng.standard_normal((n, n)),
        "x": rng.standard_normal(n),
        "u": rng.standard_normal(n),
        "v": rng.standard_normal(n),
    }


def let(W, x, u):
    return {"h": W @ x + u}


def forward(W, x, u, v):
    return {"y": W @ (W @ x + u) + v}


answers = ["dW", "dx", "du"]
terms = {
    "dW": {
        "the second step": lambda dy, h: dy[:, None] * h,
        "the first step": lambda dy, W, x: (W.T @ dy)[:, None] * x,
    }
}
right = {
    "dW": [
        "np.outer(dy, h) + np.outer(W.T @ dy, x)",
        "dW_ij = dy_i h_j + sum_k W_ki dy_k x_j",
        "dy h^T + W^T dy x^T",
    ],
    "dx": ["W.T @ W.T @ dy", "dx_j = sum_{i,k} dy_i W_ik W_kj", "W^T W^T dy"],
    "du": ["W.T @ dy", "du_k = sum_i W_ik dy_i", "W^T dy"],
}
mistakes = {
    "dW": {
        "missing-term": ["np.outer(dy, h)", "W^T dy x^T", "dW_ij = dy_i h_j"],
        "term-factor": ["dy h^T - W^T dy x^T", "2 dy h^T + W^T dy x^T"],
        "transposed": ["h dy^T + x dy^T W"],
        "one-edit": ["dy h^T + W dy x^T"],
        "sign": ["-dy h^T - W^T dy x^T"],
        "unexplained": ["np.outer(dy, x)"],
    },
    "dx": {
        "other-gradient": ["W^T dy"],
        "sign": ["-W^T W^T dy"],
        "one-edit": ["W W^T dy", "W.T @ W @ dy"],
        "jacobian": ["W @ W"],
        "upstream-ignored": ["(W @ W).sum(axis=0)"],
        "diagonal-only": ["np.diag(W @ W) * dy"],
    },
    "du": {"one-edit": ["W dy"], "other-gradient": ["W^T W^T dy"], "jacobian": ["W"]},
}
