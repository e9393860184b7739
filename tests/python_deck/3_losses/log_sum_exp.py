"""The log-sum-exp with a temperature."""

import numpy as np

answers = {
    "df_dz": "gradient with respect to the values",
    "df_dtau": "derivative with respect to the temperature",
}
sizes = {"K": ("z", 0)}
symbols = {"tau": "τ"}
assume = "τ > 0"


def sample(rng):
    """The temperature is a 0-d array, so that it is a variable; it keeps away from 1.
    Values far below 0 make the result negative, too."""
    K = rng.integers(3, 8)
    z = 1.5 * rng.standard_normal(K) + rng.choice([-4, 0, 4])
    return {"z": z, "tau": np.array(rng.uniform(1.3, 2.5))}


def let(z, tau):
    e = np.exp(z / tau)
    return {"p": e / e.sum()}


def forward(z, tau):
    return {"f": tau * np.log(np.exp(z / tau).sum())}


def without_the_factor(z, tau):
    return {"f": np.log(np.exp(z / tau).sum())}


variants = {"This is the gradient without the factor τ in front.": without_the_factor}

terms = {
    "df_dtau": {
        "the term of the factor in front": lambda f, tau: f / tau,
        "the term of the exponents": lambda z, p, tau: -(p * z).sum() / tau,
    }
}

right = {
    "df_dz": [
        "p",
        "np.exp(z / tau) / np.exp(z / tau).sum()",
        "df_dz[k] = exp(z[k]/tau) / (sum_j exp(z[j]/tau))",
        r"softmax(\frac{1}{\tau} z)",
    ],
    "df_dtau": [
        "-(p * np.log(p)).sum()",
        "(f - p @ z) / tau",
        "df_dtau = -sum_k p[k] log(p[k])",
        r"\frac{1}{\tau} (f - p^\top z)",
    ],
}

wrong = {
    "df_dz": {
        "You left out the τ in front, which cancels the inner derivative 1/τ.": "p / tau",
        "The inner derivative 1/τ of the exponents is missing.": "tau * p",
        "The values are divided by the temperature before the softmax.": (
            "np.exp(z) / np.exp(z).sum()"
        ),
        "The derivative of the logarithm is missing: divide by the sum.": "np.exp(z / tau)",
        "This is the gradient of the maximum itself. Its smooth version gives every value a "
        "share.": ("1.0 * (z == np.max(z))"),
    },
    "df_dtau": {
        "The temperature also appears in every exponent.": "f / tau",
        "The temperature also appears in front of the logarithm.": "-(p @ z) / tau",
        "The derivative of z/τ with respect to τ has a minus sign.": "(f + p @ z) / tau",
        "The derivative of z/τ is -z/τ². The τ in front cancels one of the two divisions by τ.": (
            "f / tau - (p @ z) / tau**2"
        ),
        "The values have to be weighted by p.": "(f - np.sum(z)) / tau",
        "The sign is flipped: the log-sum-exp grows with the temperature.": "(p * np.log(p)).sum()",
    },
}
