"""A product of three matrices: Y = A B C."""


def sample(rng):
    n, m, k, l = rng.choice([2, 3, 4, 5], size=4, replace=False)  # noqa: E741
    return {
        "A": rng.standard_normal((n, m)),
        "B": rng.standard_normal((m, k)),
        "C": rng.standard_normal((k, l)),
    }


def forward(A, B, C):
    return {"Y": A @ B @ C}


right = {
    "dA": ["dY @ (B @ C).T", "dA_nm = sum_{k,l} dY_nl B_mk C_kl", "dY C^T B^T"],
    "dB": ["A.T @ dY @ C.T", "dB[m,k] = sum(n,l) A[n,m] dY[n,l] C[k,l]", "A^T dY C^T"],
    "dC": ["(A @ B).T @ dY", "dC_kl = sum_{n,m} A_nm B_mk dY_nl", "(A B)^\\top dY"],
}
mistakes = {
    "dA": {
        "transposed": ["B C dY^T"],
        "other-gradient": ["A^T dY C^T"],
        "sign": ["-dY C^T B^T"],
        "upstream-ignored": ["np.ones_like(dY) @ C.T @ B.T"],
    },
    "dB": {
        "transposed": ["C dY^T A"],
        "factor": ["3 A^T dY C^T"],
        "other-gradient": ["(A B)^T dY"],
        "over-summed": ["(A.T @ dY @ C.T).sum(axis=0)"],
        "not-summed": ["np.einsum('nm,nl,kl->nmk', A, dY, C)"],
        "flipped": ["(A.T @ dY @ C.T)[::-1, ::-1]"],
    },
    "dC": {
        "sign": ["-(A B)^T dY"],
        "unexplained": ["C * Y.sum()"],
        "upstream-ignored": ["dC_kl = sum_{n,m} A_nm B_mk"],
    },
}
