"""A causal linear mixing of rows: Y = (M X) with the upper triangle of M cut away."""

import numpy as np


def sample(rng):
    n, d = rng.choice([3, 4, 5, 6], size=2, replace=False)
    return {"M": rng.standard_normal((n, n)), "X": rng.standard_normal((n, d))}


def forward(M, X):
    return {"Y": np.tril(M) @ X}


right = {
    "dX": ["np.tril(M).T @ dY", "dX_jc = sum_i [i >= j] M_ij dY_ic"],
    "dM": ["np.tril(dY @ X.T)", "dM_ij = [i >= j] sum_c dY_ic X_jc"],
}
wrong = {"dM": {"the cut entries have no influence": "dY @ X.T"}}
mistakes = {
    "dX": {
        "other-gradient": ["np.tril(dY @ X.T)"],
        "sign": ["-np.tril(M).T @ dY"],
        "upstream-ignored": ["np.tril(M).T @ np.ones_like(dY)"],
        "one-edit": ["dX_jc = sum_i [i >= j] M_ji dY_ic"],
        "unexplained": ["M.T @ dY", "np.tril(M) @ dY"],
    },
    "dM": {
        "known-mistake": ["dY X^T", "dM_ij = sum_c dY_ic X_jc"],
        "transposed": ["np.tril(dY @ X.T).T", "dM_ij = [i <= j] sum_c dY_jc X_ic"],
        "not-summed": ["np.tril(np.ones(M.shape))[:, :, None] * dY[:, None, :] * X"],
        "unexplained": ["np.triu(dY @ X.T)"],
    },
}
