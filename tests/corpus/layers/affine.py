"""An affine map of one vector: y = W x + b."""


def sample(rng):
    m, d = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "W": rng.standard_normal((m, d)),
        "x": rng.standard_normal(d),
        "b": rng.standard_normal(m),
    }


def forward(W, x, b):
    return {"y": W @ x + b}


right = {
    "dW": ["np.outer(dy, x)", "dW[i,j] = dy[i] x[j]", "dy x^T", "dW = \\delta x^\\top"],
    "dx": ["W.T @ dy", "dx_j = sum_i W_ij dy_i", "W^T dy"],
    "db": ["dy", "db_i = dy_i", "db = \\delta"],
}
remarks = {
    "dx": {"orientation": ["(W.T @ dy)[None]", "dx = dy^T W"]},
    "db": {"orientation": ["dy[:, None]"]},
}
mistakes = {
    "dW": {
        "sign": ["-np.outer(dy, x)", "-dy x^T", "dW[i,j] = -dy[i] x[j]"],
        "factor": ["2 dy x^T", "1.001 * np.outer(dy, x)"],
        "transposed": ["np.outer(x, dy)", "x dy^T"],
        "upstream-ignored": ["np.outer(np.ones_like(dy), x)", "dW_ij = x_j"],
        "jacobian": ["np.einsum('km,j->kmj', np.eye(len(b)), x)"],
        "over-summed": ["np.outer(dy, x).sum(axis=0)"],
        "other-gradient": ["W.T @ dy"],
        "one-edit": ["np.outer(dy, x) + W"],
        "partly": ["a = np.outer(dy, x)\na[0, 0] *= 1.0001\ndW = a"],
        "unexplained": ["W * sum(dy)", "np.ones((7, 9))"],
    },
    "dx": {
        "sign": ["-(W.T @ dy)"],
        "flipped": ["(W.T @ dy)[::-1]"],
        "not-summed": ["W.T * dy", "W * dy[:, None]"],
        "over-summed": ["sum(W.T @ dy)"],
        "upstream-ignored": ["W.sum(axis=0)"],
        "jacobian": ["W", "W.T"],
        "unexplained": ["x * sum(dy)"],
    },
}
