"""The mean squared error over all entries of a matrix of predictions."""

import numpy as np

sizes = {"N": ("P", 0)}


def sample(rng):
    shape = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"P": rng.standard_normal(shape), "T": rng.standard_normal(shape)}


def forward(P, T):
    return {"L": np.mean((P - T) ** 2)}


right = {
    "dL_dP": ["2 * (P - T) / P.size", "dL_dP_ij = 2 (P_ij - T_ij) / (sum_{a,b} T_ab^0)"],
    "dL_dT": ["2 * (T - P) / P.size", "dL_dT_ij = -2 (P_ij - T_ij) / (sum_{a,b} P_ab^0)"],
}
remarks = {"dL_dP": {"convention": ["dL * 2 * (P - T) / P.size"]}}
mistakes = {
    "dL_dP": {
        "sign": ["2 * (T - P) / P.size", "dL * 2 * (T - P) / P.size"],
        "factor": ["(P - T) / P.size"],
        "size-factor": ["P - T", "2 (P - T)", "2 * (P - T) / N", "dL_dP_ij = 2 (P_ij - T_ij)"],
        "one-edit": ["2 * (P - T)**2 / P.size"],
        "unexplained": ["P * T"],
    },
    "dL_dT": {"sign": ["2 * (P - T) / P.size"], "factor": ["(T - P) / P.size"]},
}
