"""Looking up rows of a table: y_n is row ids_n of E. Rows may be looked up twice."""


def sample(rng):
    N, V, d = rng.choice([5, 6, 7]), rng.choice([3, 4]), rng.choice([2, 8])
    ids = rng.integers(0, V, size=N)
    ids[1] = ids[0]
    return {"E": rng.standard_normal((V, d)), "ids": ids}


def forward(E, ids):
    return {"y": E[ids]}


right = {
    "dE": [
        "g = np.zeros_like(E)\nnp.add.at(g, ids, dy)\ndE = g",
        "one_hot(ids, len(E)).T @ dy",
        "dE[v,j] = sum(n) [ids[n] = v] dy[n,j]",
    ]
}
mistakes = {
    "dE": {
        "not-accumulated": ["g = np.zeros_like(E)\ng[ids] = dy\ndE = g"],
        "sign": ["-one_hot(ids, len(E)).T @ dy"],
        "upstream-ignored": ["one_hot(ids, len(E)).T @ np.ones_like(dy)"],
        "unexplained": ["dy", "dE[v,j] = sum(n) [ids[n] = v] E[v,j]"],
    }
}
