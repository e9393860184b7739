"""A quadratic form whose matrix need not be symmetric."""

answers = {
    "df_dx": "gradient with respect to the vector",
    "df_dA": "gradient with respect to the matrix",
}
sizes = {"n": ("x", 0)}


def sample(rng):
    n = rng.integers(3, 8)
    return {"x": rng.standard_normal(n), "A": rng.standard_normal((n, n))}


def forward(x, A):
    return {"f": x @ A @ x}


def half(x, A):
    return {"f": x @ A @ x / 2}


variants = {"This is the gradient of half the form.": half}

terms = {
    "df_dx": {
        "the term of the right x, A^T x": lambda x, A: A.T @ x,
        "the term of the left x, A x": lambda x, A: A @ x,
    }
}

right = {
    "df_dx": [
        "(A + A.T) @ x",
        "df_dx[k] = sum_j (A[k,j] + A[j,k]) x[j]",
        r"(A + A^\top) x",
    ],
    "df_dA": [
        "np.outer(x, x)",
        "df_dA[i,j] = x[i] x[j]",
        r"x x^\top",
    ],
}

wrong = {
    "df_dx": {
        "This holds only for a symmetric A. Here it is A + A^T.": "2 * A @ x",
        "This holds only for a symmetric A, where A^T is A. Here it is A + A^T.": ("2 * A.T @ x"),
        "x appears twice in the form. The term from the second x is missing.": "A @ x",
        "x appears twice in the form. The term from the first x is missing.": "A.T @ x",
        "Both terms have a plus sign.": "(A - A.T) @ x",
        "There is a factor of 2 too many: the symmetric part is half of A + A^T.": (
            "2 * (A + A.T) @ x"
        ),
    },
    "df_dA": {
        "Every entry of A has its own factor x_i x_j. You gave only the diagonal.": (
            "np.diag(x * x)"
        ),
        "This is the squared length, a number. The outer product has the shape of A.": "x @ x",
        "A need not be symmetric, so each entry counts once.": "2 * np.outer(x, x)",
        "The form is linear in A: its derivative does not contain A.": "np.outer(x, A @ x)",
    },
}
