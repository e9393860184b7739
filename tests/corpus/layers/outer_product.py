"""The outer product Y = u v^T."""


def sample(rng):
    n, m = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {"u": rng.standard_normal(n), "v": rng.standard_normal(m)}


def forward(u, v):
    return {"Y": u[:, None] * v[None, :]}


right = {
    "du": ["dY @ v", "du_i = sum_j dY_ij v_j", "dY v"],
    "dv": ["u @ dY", "dv[j] = sum(i) u[i] dY[i,j]", "dY^T u"],
}
remarks = {"dv": {"orientation": ["u^T dY"]}}
mistakes = {
    "du": {
        "other-gradient": ["dY.T @ u", "u^T dY"],
        "not-summed": ["dY * v", "dY ⊙ (\\mathbf{1} v^T)"],
        "upstream-ignored": ["np.full_like(u, sum(v))"],
        "over-summed": ["sum(dY @ v)"],
        "flipped": ["dY[::-1] @ v"],
    },
    "dv": {
        "sign": ["-dY^T u"],
        "factor": ["-2 dY^T u"],
        "other-gradient": ["dY v"],
        "unexplained": ["v * np.sum(dY)"],
    },
}
