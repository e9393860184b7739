"""The negative log-likelihood of x under a Gaussian with mean m and log-variance v, summed."""

import numpy as np

sizes = {"N": ("x", 0)}


def sample(rng):
    N = int(rng.integers(3, 8))
    return {
        "x": rng.standard_normal(N),
        "m": np.asarray(rng.standard_normal()),
        "v": np.asarray(rng.uniform(-1.0, 1.0)),
    }


def forward(x, m, v):
    return {"L": np.sum((x - m) ** 2 * np.exp(-v) + v) / 2}


answers = ["dL_dm", "dL_dv", "dL_dx"]
terms = {
    "dL_dv": {
        "the log-variance itself": lambda x: np.asarray(len(x) / 2),
        "the squares": lambda x, m, v: -np.sum((x - m) ** 2) * np.exp(-v) / 2,
    }
}
right = {
    "dL_dm": ["np.exp(-v) * sum(m - x)", "exp(-v) sum_n (m - x_n)", "N * (m - mean(x)) * exp(-v)"],
    "dL_dv": [
        "N / 2 - exp(-v) * sum((x - m)**2) / 2",
        "N/2 - 1/2 exp(-v) sum_n (x_n - m)^2",
    ],
    "dL_dx": ["exp(-v) * (x - m)", "dL_dx_n = (x_n - m) exp(-v)"],
}
mistakes = {
    "dL_dm": {
        "sign": ["exp(-v) * sum(x - m)", "exp(-v) sum_n (x_n - m)"],
        "size-factor": ["exp(-v) * (m - mean(x))"],
        "not-summed": ["exp(-v) * (m - x)"],
        "one-edit": ["exp(v) * sum(m - x)"],
        "factor": ["2 exp(-v) sum_n (m - x_n)"],
    },
    "dL_dv": {
        "missing-term": ["-exp(-v) * sum((x - m)**2) / 2", "N / 2"],
        "term-factor": [
            "N / 2 + exp(-v) * sum((x - m)**2) / 2",
            "N - exp(-v) sum_n (x_n - m)^2 / 2",
        ],
        "not-summed": ["1 / 2 - exp(-v) * (x - m)**2 / 2"],
        "unexplained": ["1/2 - 1/2 exp(-v) sum_n (x_n - m)^2"],
    },
    "dL_dx": {
        "sign": ["exp(-v) * (m - x)"],
        "over-summed": ["exp(-v) * sum(x - m)"],
        "partly": ["d = exp(-v) * (x - m)\nd[0] = 0\ndL_dx = d"],
    },
}
