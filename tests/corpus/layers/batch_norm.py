"""Batch normalisation in training: each column centred, scaled, then gained and shifted."""

import numpy as np

sizes = {"N": ("X", 0)}
symbols = {"gamma": "γ", "beta": "β", "X_hat": "X̂"}


def sample(rng):
    N, d = rng.choice([3, 4, 5, 6, 7], size=2, replace=False)
    return {
        "X": rng.standard_normal((N, d)),
        "gamma": rng.uniform(0.5, 2.0, size=d),
        "beta": rng.standard_normal(d),
        "eps": float(rng.uniform(0.05, 0.4)),
    }


def let(X, eps):
    s = np.sqrt(X.var(axis=0) + eps)
    return {"s": s, "X_hat": (X - X.mean(axis=0)) / s}


def forward(X, gamma, beta, eps):
    centred = X - np.mean(X, axis=0)
    return {"Y": gamma * centred / np.sqrt(np.mean(centred**2, axis=0) + eps) + beta}


terms = {
    "dX": {
        "the direct term": lambda dY, gamma, s: dY * gamma / s,
        "the mean's term": lambda dY, gamma, s: -(dY * gamma).mean(axis=0) / s,
        "the variance's term": lambda dY, gamma, s, X_hat: (
            -X_hat * (dY * gamma * X_hat).mean(axis=0) / s
        ),
    }
}
right = {
    "dX": [
        "gamma / s * (dY - mean(dY, axis=0) - X_hat * mean(dY * X_hat, axis=0))",
        "dX_nj = (γ_j / s_j) (dY_nj - 1/N sum_m dY_mj - X_hat_nj 1/N sum_m dY_mj X_hat_mj)",
    ],
    "dgamma": ["sum(dY * X_hat, axis=0)", "dgamma_j = Σ_n dY_nj X_hat_nj"],
    "dbeta": ["dY.sum(axis=0)", "dbeta_j = sum_n dY_nj", "dY^T \\mathbf{1}"],
}
mistakes = {
    "dX": {
        "missing-term": [
            "gamma / s * dY",
            "gamma / s * (dY - mean(dY, axis=0))",
            "dX_nj = (γ_j / s_j) (dY_nj - 1/N sum_m dY_mj)",
            "gamma / s * (dY - X_hat * mean(dY * X_hat, axis=0))",
        ],
        "term-factor": ["gamma / s * (dY - mean(dY, axis=0) + X_hat * mean(dY * X_hat, axis=0))"],
        "sign": ["-gamma / s * (dY - mean(dY, axis=0) - X_hat * mean(dY * X_hat, axis=0))"],
        "unexplained": ["(dY - mean(dY, axis=0) - X_hat * mean(dY * X_hat, axis=0)) / s"],
    },
    "dgamma": {
        "other-gradient": ["sum(dY, axis=0)"],
        "not-summed": ["dY * X_hat"],
        "size-factor": ["mean(dY * X_hat, axis=0)"],
        "one-edit": ["sum(dY * X, axis=0)"],
    },
    "dbeta": {"size-factor": ["mean(dY, axis=0)"], "other-gradient": ["sum(dY * X_hat, axis=0)"]},
}
