"""The Kullback-Leibler divergence of two Gaussians with diagonal covariances."""

import numpy as np

answers = {
    "dL_dmu": "gradient with respect to the encoder's mean",
    "dL_drho": "gradient with respect to the encoder's log-variance",
    "dL_dtau": "gradient with respect to the prior's log-variance",
}
sizes = {"D": ("mu", 0)}
symbols = {"mu": "μ", "rho": "ρ", "nu": "ν", "tau": "τ"}


def sample(rng):
    D = rng.integers(3, 8)
    return {
        "mu": rng.standard_normal(D),
        "rho": 0.7 * rng.standard_normal(D),
        "nu": rng.standard_normal(D),
        "tau": 0.7 * rng.standard_normal(D),
    }


def forward(mu, rho, nu, tau):
    return {"L": (tau - rho + (np.exp(rho) + (mu - nu) ** 2) / np.exp(tau) - 1).sum() / 2}


def other_direction(mu, rho, nu, tau):
    return forward(nu, tau, mu, rho)


variants = {"This is the gradient of KL(prior‖encoder), the other direction.": other_direction}

terms = {
    "dL_dtau": {
        "the term of tau itself": lambda tau: np.ones(tau.shape) / 2,
        "the encoder's variance": lambda rho, tau: -np.exp(rho - tau) / 2,
        "the distance of the means": lambda mu, nu, tau: -((mu - nu) ** 2) * np.exp(-tau) / 2,
    }
}

right = {
    "dL_dmu": [
        "(mu - nu) * np.exp(-tau)",
        "dL_dmu[i] = (mu[i] - nu[i]) exp(-tau[i])",
        r"(\mu - \nu) \odot \exp(-\tau)",
    ],
    "dL_drho": [
        "(np.exp(rho - tau) - 1) / 2",
        "dL_drho[i] = 1/2 (exp(rho[i] - tau[i]) - 1)",
        r"\frac{1}{2} (\exp(\rho - \tau) - \mathbf{1})",
    ],
    "dL_dtau": [
        "(1 - (np.exp(rho) + (mu - nu) ** 2) / np.exp(tau)) / 2",
        "dL_dtau[i] = 1/2 (1 - (exp(rho[i]) + (mu[i] - nu[i])^2) exp(-tau[i]))",
        "r = mu - nu\n"
        r"dL_dtau = \frac{1}{2} (\mathbf{1} - (\exp(\rho) + r \odot r) \odot \exp(-\tau))",
    ],
}

wrong = {
    "dL_dmu": {
        "This holds only for a standard prior. In general, subtract ν and divide by e^τ.": ("mu"),
        "The division by the prior's variance e^τ is missing.": "mu - nu",
        "The factor 2 does not belong here: the 1/2 in front cancels it.": (
            "2 * (mu - nu) * np.exp(-tau)"
        ),
        "Divide by the prior's variance, not by the encoder's.": "(mu - nu) * np.exp(-rho)",
        "The sign is flipped: the prior pulls μ towards ν.": "(nu - mu) * np.exp(-tau)",
    },
    "dL_drho": {
        "This holds only for a standard prior: divide e^ρ by e^τ.": "(np.exp(rho) - 1) / 2",
        "The 1/2 in front is missing. Here no factor of 2 cancels it.": ("np.exp(rho - tau) - 1"),
        "This is the derivative with respect to the variance e^ρ. For its logarithm, multiply by "
        "e^ρ.": ("(np.exp(-tau) - np.exp(-rho)) / 2"),
        "The sign is flipped: descent must lower ρ if it is above τ.": (
            "(1 - np.exp(rho - tau)) / 2"
        ),
        "The term -ρ is missing: it has slope -1.": "np.exp(rho - tau) / 2",
    },
    "dL_dtau": {
        "The squared difference of the means is divided by e^τ too.": "(1 - np.exp(rho - tau)) / 2",
        "The derivative of e^(-τ) has a minus sign.": (
            "(1 + (np.exp(rho) + (mu - nu) ** 2) / np.exp(tau)) / 2"
        ),
        "The term τ is missing: it has slope 1.": (
            "-(np.exp(rho) + (mu - nu) ** 2) / np.exp(tau) / 2"
        ),
        "The 1/2 in front is missing.": "1 - (np.exp(rho) + (mu - nu) ** 2) / np.exp(tau)",
        "The difference of the means appears squared in the divergence.": (
            "(1 - (np.exp(rho) + mu - nu) / np.exp(tau)) / 2"
        ),
    },
}
