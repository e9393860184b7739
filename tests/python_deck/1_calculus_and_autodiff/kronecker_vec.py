"""The map vec(X) -> vec(A X B), whose matrix is a Kronecker product."""

answers = {"dy_dx": "local derivative", "dA": "message to the left factor"}
sizes = {"M": ("A", 0), "N": ("A", 1), "P": ("B", 0), "Q": ("B", 1)}


def sample(rng):
    M, N, P, Q = rng.permutation([2, 3, 4, 5])
    return {
        "A": rng.standard_normal((M, N)),
        "B": rng.standard_normal((P, Q)),
        "x": rng.standard_normal(N * P),
    }


def vec(X):
    """The columns of X, one below the other."""
    return X.T.reshape(-1)


def let(A, B, x):
    return {"X": x.reshape(B.shape[0], A.shape[1]).T}


def forward(A, B, x):
    return {"y": vec(A @ let(A, B, x)["X"] @ B)}


def rows_stacked(A, B, x):
    X = x.reshape(A.shape[1], B.shape[0])
    return {"y": (A @ X @ B).reshape(-1)}


variants = {
    "This is the derivative with stacked rows. On this card, vec stacks columns.": rows_stacked,
}

right = {
    "dy_dx": [
        "np.kron(B.T, A)",
        "dy_dx[i,j] = sum(m,n,p,q) A[m,n] B[p,q] [i = m + M q] [j = n + N p]",
    ],
    "dA": [
        "dy.reshape(Q, M).T @ (X @ B).T",
        "dA[m,n] = sum_q dy[m + M*q] sum_p X[n,p] B[p,q]",
        "dA[m,n] = sum(p,q) dy[m + M*q] x[n + N*p] B[p,q]",
    ],
}

wrong = {
    "dy_dx": {
        "This order belongs to stacked rows. With stacked columns, A is the inner factor.": (
            "np.kron(A, B.T)"
        ),
        "B must be transposed: block (q, p) has the factor B[p, q].": "np.kron(B, A)",
        "This is the transpose of the Jacobian. It maps an upstream back to the message to x.": (
            "np.kron(B, A.T)"
        ),
        "You transposed both factors. A stays as it is: its rows belong to the output.": (
            "np.kron(B.T, A.T)"
        ),
    },
    "dA": {
        "reshape fills row by row, but dy stacks columns: reshape to (Q, M), then transpose.": (
            "dy.reshape(M, Q) @ (X @ B).T"
        ),
        "B is missing: A multiplies the product X B.": (
            "dy.reshape(Q, M).T @ np.ones((Q, P)) @ X.T"
        ),
        "X is missing: A multiplies the product X B.": (
            "dy.reshape(Q, M).T @ B.T @ np.ones((P, N))"
        ),
        "The upstream is missing.": "np.ones((M, Q)) @ (X @ B).T",
    },
}
