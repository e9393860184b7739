"""One step of the forward algorithm: b_j = e_j sum_i a_i T_ij."""


def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {
        "a": rng.uniform(0.1, 1, n),
        "T": rng.uniform(0.1, 1, (n, m)),
        "e": rng.uniform(0.1, 1, m),
    }


def forward(a, T, e):
    return {"b": e * (a @ T)}


right = {
    "da": ["T @ (e * db)", "da_i = sum_j T_ij e_j db_j", "T (e ⊙ db)", "T diag(e) \\delta"],
    "dT": ["np.outer(a, e * db)", "dT_ij = a_i e_j db_j", "a (e ⊙ db)^T"],
    "de": ["db * (a @ T)", "de_j = db_j sum_i a_i T_ij", "db ⊙ (T^T a)"],
}
mistakes = {
    "da": {
        "not-summed": ["T * (e * db)", "T diag(e ⊙ db)"],
        "upstream-ignored": ["T @ e", "T e"],
        "sign": ["-T (e ⊙ db)"],
        "other-gradient": ["db * (a @ T)"],
        "unexplained": ["T @ db", "a * sum(db)"],
    },
    "dT": {
        "transposed": ["np.outer(e * db, a)"],
        "upstream-ignored": ["np.outer(a, e)", "dT_ij = a_i e_j"],
        "unexplained": ["np.outer(a, db)"],
        "factor": ["2 a (e ⊙ db)^T"],
    },
    "de": {
        "upstream-ignored": ["a @ T"],
        "not-summed": ["a[:, None] * T * db"],
        "over-summed": ["sum(db * (a @ T))"],
        "sign": ["-db ⊙ (T^T a)"],
    },
}
