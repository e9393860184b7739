"""The softmax of each row, with a temperature that is learnt."""

import numpy as np

answers = {"dz": "backward message", "dtau": "parameter message of the temperature"}
sizes = {"N": ("z", 0), "K": ("z", 1)}
symbols = {"tau": "τ"}
assume = "τ > 0"
hints = [
    "Call the scaled logits u = z / τ. How far do you get with what you know about the softmax?"
]


def sample(rng):
    N, K = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {
        "z": rng.standard_normal((N, K)),
        "tau": np.array(rng.choice([rng.uniform(0.4, 0.8), rng.uniform(1.3, 2)])),
    }


def forward(z, tau):
    """p[n, k] is proportional to exp(z[n, k] / tau); every row sums to 1."""
    e = np.exp(z / tau)
    return {"p": e / e.sum(axis=1, keepdims=True)}


def over_columns(z, tau):
    e = np.exp(z / tau)
    return {"p": e / e.sum(axis=0)}


variants = {"This is the gradient of a softmax over the columns.": over_columns}

terms = {
    "dz": {
        "the term of the own upstream": lambda p, dp, tau: p * dp / tau,
        "the weighted average of the upstreams": lambda p, dp, tau: (
            -p * (dp * p).sum(axis=1, keepdims=True) / tau
        ),
    }
}

right = {
    "dz": [
        "p * (dp - (dp * p).sum(axis=1, keepdims=True)) / tau",
        "dz[n,k] = (1/tau) p[n,k] (dp[n,k] - sum_j p[n,j] dp[n,j])",
        "m[n] = sum_j p[n,j] dp[n,j]\ndz[n,k] = p[n,k] (dp[n,k] - m[n]) / tau",
    ],
    "dtau": [
        "-(z * p * (dp - (dp * p).sum(axis=1, keepdims=True))).sum() / tau**2",
        "m[n] = sum_j p[n,j] dp[n,j]\ndtau = -(1/tau^2) sum(n,k) z[n,k] p[n,k] (dp[n,k] - m[n])",
    ],
}

wrong = {
    "dz": {
        "The inner derivative 1/τ is missing.": "p * (dp - (dp * p).sum(axis=1, keepdims=True))",
        "The average is over the classes of a row. You took it over the batch.": (
            "p * (dp - (dp * p).sum(axis=0)) / tau"
        ),
        "You used only the diagonal of the Jacobian. The other outputs send messages as well.": (
            "dp * p * (1 - p) / tau"
        ),
        "The average of the upstreams has to be weighted by the probabilities.": (
            "p * (dp - dp.mean(axis=1, keepdims=True)) / tau"
        ),
    },
    "dtau": {
        "The slope of z/τ with respect to τ is -z/τ²: the minus sign is missing.": (
            "(z * p * (dp - (dp * p).sum(axis=1, keepdims=True))).sum() / tau**2"
        ),
        "The slope of z/τ with respect to τ is -z/τ²: τ must be squared.": (
            "-(z * p * (dp - (dp * p).sum(axis=1, keepdims=True))).sum() / tau"
        ),
        "All examples share the temperature: sum over the rows too.": (
            "-(z * p * (dp - (dp * p).sum(axis=1, keepdims=True))).sum(axis=1) / tau**2"
        ),
        "The average of the row is missing: the denominator of the softmax depends on τ.": (
            "-(z * p * dp).sum() / tau**2"
        ),
    },
}
