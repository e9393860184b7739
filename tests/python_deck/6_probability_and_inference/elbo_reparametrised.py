"""One-draw estimate of the evidence lower bound, with a reparametrised Gaussian."""

import numpy as np

answers = {
    "dL_dmu": "gradient with respect to the mean",
    "dL_drho": "gradient with respect to the logarithm of the standard deviation",
}
sizes = {"M": ("W", 0), "D": ("W", 1)}
symbols = {"mu": "μ", "rho": "ρ", "eps": "ε"}


def sample(rng):
    M, D = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "x": rng.standard_normal(M),
        "W": rng.standard_normal((M, D)),
        "mu": rng.standard_normal(D),
        "rho": 0.5 * rng.standard_normal(D),
        "eps": rng.standard_normal(D),
    }


def let(x, W, mu, rho, eps):
    return {"z": mu + np.exp(rho) * eps, "s": np.exp(rho)}


def forward(x, W, mu, rho, eps):
    error = x - W @ (mu + np.exp(rho) * eps)
    bonus = (1 + 2 * rho - mu**2 - np.exp(2 * rho)).sum() / 2
    return {"L": -(error**2).sum() / 2 + bonus}


def reconstruction_only(x, W, mu, rho, eps):
    error = x - W @ (mu + np.exp(rho) * eps)
    return {"L": -(error**2).sum() / 2}


def divergence_with_other_sign(x, W, mu, rho, eps):
    error = x - W @ (mu + np.exp(rho) * eps)
    return {"L": -(error**2).sum() / 2 - (1 + 2 * rho - mu**2 - np.exp(2 * rho)).sum() / 2}


variants = {
    "This is the gradient of the reconstruction alone. The divergence from the prior is missing.": (
        reconstruction_only
    ),
    "This is the gradient with the wrong sign of the divergence, which must lower the bound.": (
        divergence_with_other_sign
    ),
}

terms = {
    "dL_dmu": {
        "the reconstruction's term": lambda x, W, z: W.T @ (x - W @ z),
        "the divergence's term": lambda mu: -mu,
    },
    "dL_drho": {
        "the reconstruction's term": lambda x, W, z, s, eps: W.T @ (x - W @ z) * eps * s,
        "the divergence's term": lambda s: 1 - s**2,
    },
}

right = {
    "dL_dmu": [
        "W.T @ (x - W @ z) - mu",
        "dL_dmu[i] = sum_m W[m,i] (x[m] - sum_j W[m,j] z[j]) - mu[i]",
        r"dL_dmu = W^\top (x - W z) - \mu",
    ],
    "dL_drho": [
        "W.T @ (x - W @ z) * eps * s + 1 - s**2",
        "g[i] = sum_m W[m,i] (x[m] - sum_j W[m,j] z[j])\n"
        "dL_drho[i] = g[i] eps[i] s[i] + 1 - s[i]^2",
        r"(W^\top (x - W z)) \odot \varepsilon \odot s + \mathbf{1} - s \odot s",
    ],
}

wrong = {
    "dL_dmu": {
        "This is the gradient of the negative bound, which would be minimised.": (
            "mu - W.T @ (x - W @ z)"
        ),
        "You decoded the mean. The reconstruction is W z.": "W.T @ (x - W @ mu) - mu",
        "The sign of the first term is flipped: the inner derivative of x - W z is -W.": (
            "-W.T @ (x - W @ z) - mu"
        ),
    },
    "dL_drho": {
        "This is the derivative with respect to s. The factor ds/dρ = s is missing.": (
            "W.T @ (x - W @ z) * eps + 1 / s - s"
        ),
        "The draw is missing: s reaches z with slope ε.": "W.T @ (x - W @ z) * s + 1 - s**2",
        "You differentiated with respect to the logarithm of the variance, which is 2 ρ.": (
            "(W.T @ (x - W @ z) * eps * s + 1 - s**2) / 2"
        ),
        "The factor s is missing from the term of the reconstruction: s is an exponential of ρ.": (
            "W.T @ (x - W @ z) * eps + 1 - s**2"
        ),
    },
}
