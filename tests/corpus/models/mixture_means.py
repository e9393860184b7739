"""The M-step of a Gaussian mixture for the means: m_k = sum_n r_nk x_n / sum_n r_nk."""

import numpy as np

answers = ["m"]
sizes = {"N": ("X", 0)}


def sample(rng):
    N, K, d = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    return {"X": rng.standard_normal((N, d)), "R": rng.dirichlet(np.ones(K), size=N)}


def reference(X, R):
    return {"m": R.T @ X / R.sum(axis=0)[:, None]}


wrong = {"m": {"divide by the responsibilities' sum, not by N": "R.T @ X / N"}}
right = {
    "m": [
        "R.T @ X / R.sum(axis=0)[:, None]",
        "m_kj = (sum_n R_nk X_nj) / (sum_n R_nk)",
        "diag(R^T \\mathbf{1})^{-1} R^T X",
        "s_k = sum_n R_nk\nm_kj = 1/s_k sum_n R_nk X_nj",
        "N_k = sum_n R_nk\nm_kj = 1/N_k Σ_n R_nk X_nj",
    ]
}
mistakes = {
    "m": {
        "known-mistake": [
            "1/N R^T X",
            "m_kj = 1/N sum_n R_nk X_nj",
            "s_k = sum_n (1 + 0 R_nk)\nm_kj = 1/s_k sum_n R_nk X_nj",
        ],
        "transposed": ["(R.T @ X / R.sum(axis=0)[:, None]).T"],
        "size-factor": ["R.T @ X / R.sum(axis=0)[:, None] / N"],
        "not-summed": ["R[:, :, None] * X[:, None, :] / R.sum(axis=0)[:, None]"],
        "unexplained": ["R.T @ X", "R.T @ (X - X.mean(axis=0))"],
    }
}
