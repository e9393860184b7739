"""The Cholesky factor of a positive definite matrix."""

import numpy as np

answers = {"dA": "backward message"}
sizes = {"n": ("A", 0)}
symmetric = ["A"]
assume = "A is symmetric and positive definite"


def sample(rng):
    """A positive definite matrix whose smallest eigenvalue is 1 or more."""
    n = rng.integers(2, 7)
    B = rng.standard_normal((n, n))
    return {"A": B @ B.T + np.eye(n)}


def let(A):
    return {"H": np.tril(np.ones(A.shape)) - np.eye(len(A)) / 2}


def forward(A):
    return {"C": np.linalg.cholesky((A + A.T) / 2)}


def product_with_its_transpose(A):
    return {"C": A @ A.T}


variants = {
    "This is the message to the factor of the product A A^T. Here the factor is the output.": (
        product_with_its_transpose
    ),
}

right = {
    "dA": [
        "B = np.linalg.inv(C)\nS = B.T @ (H * (C.T @ dC)) @ B\ndA = (S + S.T) / 2",
        "P[i,j] = ([i>j] + 1/2 [i=j]) sum_k C[k,i] dC[k,j]\n"
        "dA[a,b] = sum(i,j) C^{-1}[i,a] P[i,j] C^{-1}[j,b]",
        r"S = C^{-\top} (H \odot (C^\top dC)) C^{-1}"
        "\n"
        r"dA = \frac{1}{2} (S + S^\top)",
        r"C^{-\top} (H \odot (C^\top dC)) C^{-1}",
    ]
}

wrong = {
    "dA": {
        "The diagonal must be halved: Z + Z^T contains it twice.": (
            "B = np.linalg.inv(C)\nS = B.T @ np.tril(C.T @ dC) @ B\ndA = (S + S.T) / 2"
        ),
        "Φ is missing: only the lower triangle counts, with its diagonal halved.": (
            "S = dC @ np.linalg.inv(C)\ndA = (S + S.T) / 2"
        ),
        "On the way back the inverse factors are transposed: C^-T on the left.": (
            "B = np.linalg.inv(C)\nS = B @ (H * (C.T @ dC)) @ B.T\ndA = (S + S.T) / 2"
        ),
        "The symmetric part is half of S + S^T.": (
            "B = np.linalg.inv(C)\nS = B.T @ (H * (C.T @ dC)) @ B\ndA = S + S.T"
        ),
        "You applied Φ to the upstream itself. Multiply by C^T first.": (
            "B = np.linalg.inv(C)\nS = B.T @ (H * dC) @ B\ndA = (S + S.T) / 2"
        ),
        "Multiply the upstream by C^T, not by C: dC is C times Φ(…), and the backward pass "
        "transposes that factor.": (
            "B = np.linalg.inv(C)\nS = B.T @ (H * (C @ dC)) @ B\ndA = (S + S.T) / 2"
        ),
        "One inverse factor is missing: dA lies between two of them.": (
            "S = np.linalg.inv(C).T @ (H * (C.T @ dC))\ndA = (S + S.T) / 2"
        ),
    }
}
