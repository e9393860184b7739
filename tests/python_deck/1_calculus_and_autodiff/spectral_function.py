"""The sum of the exponentials of a symmetric matrix's eigenvalues."""

import numpy as np

answers = {"df_dS": "gradient with respect to the matrix"}
sizes = {"n": ("S", 0)}
symbols = {"lam": "λ"}
symmetric = ["S"]
assume = "S is symmetric, and its eigenvalues are distinct"


def sample(rng):
    """Eigenvalues of either sign that keep a distance, in a random basis."""
    n = rng.integers(3, 8)
    eigenvalues = np.linspace(-1.2, 1.5, n) + rng.uniform(-0.1, 0.1, size=n)
    basis, _ = np.linalg.qr(rng.standard_normal((n, n)))
    S = basis @ np.diag(eigenvalues) @ basis.T
    return {"S": (S + S.T) / 2}


def let(S):
    lam, U = np.linalg.eigh(S)
    return {"lam": lam, "U": U}


def forward(S):
    eigenvalues, _ = np.linalg.eigh((S + S.T) / 2)
    return {"f": np.exp(eigenvalues).sum()}


def exponential_of_the_entries(S):
    return {"f": np.exp(S).sum()}


def squares(S):
    return {"f": (S * S).sum()}


variants = {
    "The exponential was applied to every entry of S, not to every eigenvalue.": (
        exponential_of_the_entries
    ),
    "This is the gradient of the sum of the squared eigenvalues.": squares,
}

right = {
    "df_dS": [
        "U @ np.diag(np.exp(lam)) @ U.T",
        "(U * np.exp(lam)) @ U.T",
        "df_dS[i,j] = sum_k exp(lam[k]) U[i,k] U[j,k]",
        r"U diag(\exp(\lambda)) U^\top",
    ]
}

wrong = {
    "df_dS": {
        "The eigenvectors are the columns of U: U belongs on the left, U^T on the right.": (
            "U.T @ np.diag(np.exp(lam)) @ U"
        ),
        "This is the gradient in the basis of eigenvectors. Rotate it back with U.": (
            "np.diag(np.exp(lam))"
        ),
        "This is the gradient of the trace of S. Here each eigenvalue has its own weight.": (
            "np.eye(n)"
        ),
        "The weights and the outer products were summed separately: each weight belongs to its "
        "own outer product.": ("np.exp(lam).sum() * np.eye(n)"),
        "There is a factor of λ too many: the derivative of e^λ with respect to λ is e^λ.": (
            "U @ np.diag(lam * np.exp(lam)) @ U.T"
        ),
        "The transpose on the right is missing.": "U @ np.diag(np.exp(lam)) @ U",
        "This is S itself, whose outer products have the weights λ. Here the weights are e^λ.": "S",
    }
}
