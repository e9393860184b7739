"""Forwards of `cards/5_classical_models`."""


def kernel_ridge(K, y, lam, alpha):
    error = K @ alpha - y
    return {"objective": error @ error + lam * alpha @ K @ alpha}
