"""A bilinear layer: y_k = x^T A_k z."""

import numpy as np


def sample(rng):
    k, n, m = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {
        "A": rng.standard_normal((k, n, m)),
        "x": rng.standard_normal(n),
        "z": rng.standard_normal(m),
    }


def forward(A, x, z):
    return {"y": np.einsum("knm,n,m->k", A, x, z)}


right = {
    "dA": ["np.einsum('k,n,m->knm', dy, x, z)", "dA[k,n,m] = dy[k] x[n] z[m]"],
    "dx": ["np.einsum('k,knm,m->n', dy, A, z)", "dx_n = sum_{k,m} dy_k A_{knm} z_m"],
    "dz": ["np.einsum('k,knm,n->m', dy, A, x)", "dz[m] = sum(k,n) dy[k] A[k,n,m] x[n]"],
}
mistakes = {
    "dA": {
        "transposed": ["np.einsum('k,n,m->kmn', dy, x, z)", "dA[k,m,n] = dy[k] x[n] z[m]"],
        "upstream-ignored": ["np.einsum('k,n,m->knm', np.ones_like(dy), x, z)"],
        "over-summed": ["np.einsum('k,n,m->nm', dy, x, z)"],
        "sign": ["dA[k,n,m] = -dy[k] x[n] z[m]"],
    },
    "dx": {
        "other-gradient": ["np.einsum('k,knm,n->m', dy, A, x)"],
        "not-summed": ["np.einsum('k,knm,m->kn', dy, A, z)"],
        "jacobian": ["np.einsum('knm,m->kn', A, z)"],
        "upstream-ignored": ["np.einsum('knm,m->n', A, z)"],
        "factor": ["3 * np.einsum('k,knm,m->n', dy, A, z)"],
    },
}
