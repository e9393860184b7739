"""Ridge regression: half the squared residual plus half the penalty."""

import numpy as np

sizes = {"N": ("X", 0), "d": ("X", 1)}
symbols = {"lam": "λ"}


def sample(rng):
    N, d = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "X": rng.standard_normal((N, d)),
        "w": rng.standard_normal(d),
        "y": rng.standard_normal(N),
        "lam": float(rng.uniform(0.3, 1.5)),
    }


def forward(X, w, y, lam):
    return {"L": np.sum((X @ w - y) ** 2) / 2 + lam * np.sum(w**2) / 2}


answers = ["dL_dw"]
also = {"dL_dw": {"with the error averaged": "X.T @ (X @ w - y) / N + λ * w"}}
variants = {
    "this penalises absolute values": lambda X, w, y, lam: {
        "L": np.sum((X @ w - y) ** 2) / 2 + lam * np.sum(np.abs(w))
    }
}
terms = {
    "dL_dw": {
        "the fit": lambda X, w, y: X.T @ (X @ w - y),
        "the penalty": lambda w, lam: lam * w,
    }
}
right = {
    "dL_dw": [
        "X.T @ (X @ w - y) + lam * w",
        "dL_dw_j = sum_n X_nj (sum_k X_nk w_k - y_n) + λ w_j",
        "X^T (X w - y) + λ w",
        "(X^\\top X + \\lambda I) w - X^\\top y",
    ]
}
remarks = {
    "dL_dw": {
        "convention": ["1/N X^T (X w - y) + λ w", "dL * (X.T @ (X @ w - y) + lam * w)"],
        "orientation": ["(X w - y)^T X + λ w^T"],
    }
}
mistakes = {
    "dL_dw": {
        "missing-term": ["X.T @ (X @ w - y)", "X^T (X w - y)", "λ w"],
        "term-factor": [
            "X.T @ (X @ w - y) + 2 * lam * w",
            "X^T (X w - y) - λ w",
            "2 X^T (X w - y) + λ w",
        ],
        "variant": ["X.T @ (X @ w - y) + lam * sign(w)"],
        "sign": ["X^T (y - X w) - λ w"],
        "factor": ["2 * (X.T @ (X @ w - y) + lam * w)"],
        "size-factor": ["(X.T @ (X @ w - y) + lam * w) / N"],
        "one-edit": ["X^T (X w + y) + λ w"],
        "unexplained": ["X^T X w"],
    }
}
