"""Mean of log cosh of the residual. Source: textbooks on robust regression; d log cosh = tanh."""

import numpy as np

answers = ["dL_dx"]
sizes = {"N": ("x", 0)}


def sample(rng):
    n = rng.integers(2, 8)
    return {"x": rng.standard_normal(n), "t": rng.standard_normal(n)}


def forward(x, t):
    return {"L": np.mean(np.log(np.cosh(x - t)))}
