"""The differences of neighbours: y_t = x_{t+1} - x_t, counted from 1."""

first_index = 1


def sample(rng):
    return {"x": rng.standard_normal(rng.integers(4, 9))}


def forward(x):
    return {"y": x[1:] - x[:-1]}


right = {
    "dx": [
        "-np.diff(dy, prepend=0, append=0)",
        "dx_t = dy_{t-1} - dy_t",
        "g = np.zeros_like(x)\ng[1:] += dy\ng[:-1] -= dy\ndx = g",
    ]
}
mistakes = {
    "dx": {
        "sign": ["np.diff(dy, prepend=0, append=0)", "dx_t = dy_t - dy_{t-1}"],
        "not-accumulated": [
            "g = np.zeros_like(x)\ng[1:] = dy\ng[:-1] = -dy\ndx = g",
            "g = np.zeros_like(x)\ng[:-1] = -dy\ng[1:] = dy\ndx = g",
            "dx_t = dy_{t-1} - [t = 1] dy_t",
        ],
        "one-edit": ["dx_t = dy_{t-1} + dy_t", "dx_t = dy_{t-2} - dy_t"],
        "unexplained": ["dx_t = x_t", "np.append(dy, 0)"],
    }
}
