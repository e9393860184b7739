"""M-step of a mixture of Gaussians with full covariances, for given responsibilities."""

import numpy as np

answers = {
    "w_new": "weights of the components",
    "mu_new": "means",
    "C_new": "covariances",
}
sizes = {"N": ("X", 0), "D": ("X", 1), "K": ("r", 1)}
symbols = {"mu": "μ", "mu_new": "μ_new"}
assume = "every r_nk ≥ 0; each row of r sums to 1"


def sample(rng):
    """Old means (whole numbers: constants, as no result depends on them) far from the data's."""
    D, K, N = np.sort(rng.choice([2, 3, 4, 5, 6], size=3, replace=False))
    D, K = rng.permutation([D, K])
    return {
        "X": rng.standard_normal((N, D)),
        "r": rng.dirichlet(np.ones(K), size=N),
        "mu": rng.integers(-3, 4, size=(K, D)),
    }


def let(X, r, mu):
    return {"c": r.sum(axis=0)}


def forward(X, r, mu):
    """The new means are an output, so that the answer for the covariances may use them."""
    c = r.sum(axis=0)
    mu_new = r.T @ X / c[:, None]
    d = X[:, None] - mu_new
    scatter = (r[:, :, None, None] * d[:, :, :, None] * d[:, :, None, :]).sum(axis=0)
    return {"mu_new": mu_new, "C_new": scatter / c[:, None, None]}


def reference(r):
    return {"w_new": r.mean(axis=0)}


right = {
    "w_new": [
        "r.mean(axis=0)",
        "w_new[k] = mean_n r[n,k]",
        r"w_new = \frac{1}{N} r^\top \mathbf{1}",
    ],
    "mu_new": [
        "r.T @ X / c[:, None]",
        "mu_new[k,i] = (sum_n r[n,k] X[n,i]) / c[k]",
        r"mu_new = diag(c)^{-1} r^\top X",
    ],
    "C_new": [
        "d = X[:, None] - r.T @ X / c[:, None]\n"
        "C_new = np.einsum('nk,nki,nkj->kij', r, d, d) / c[:, None, None]",
        "C_new[k,i,j] = (sum_n r[n,k] (X[n,i] - mu_new[k,i]) (X[n,j] - mu_new[k,j])) / c[k]",
        "m[k,i] = (sum_n r[n,k] X[n,i]) / c[k]\n"
        "C_new[k,i,j] = (sum_n r[n,k] X[n,i] X[n,j]) / c[k] - m[k,i] m[k,j]",
    ],
}

SCATTER = "np.einsum('nk,nki,nkj->kij', r, d, d)"

wrong = {
    "w_new": {
        "The weights must sum to 1: divide the counts by N.": "c",
        "You summed over the components, which gives 1 for every data point.": "r.sum(axis=1)",
        "Each row of r sums to 1, so the counts sum to N. Dividing by K does not give a "
        "distribution.": "c / K",
    },
    "mu_new": {
        "You divided by N. Divide by the effective count of the component.": "r.T @ X / N",
        "The sum has to be divided by the effective counts.": "r.T @ X",
        "The responsibilities are missing: this is the mean of all data in every row.": (
            "np.tile(X.mean(axis=0), (K, 1))"
        ),
        "You subtracted the old means. The new means do not contain them.": (
            "r.T @ X / c[:, None] - mu"
        ),
    },
    "C_new": {
        "The deviations are from the new means. You took the old ones.": (
            f"d = X[:, None] - mu\nC_new = {SCATTER} / c[:, None, None]"
        ),
        "You divided by N. Divide by the effective count of the component.": (
            f"d = X[:, None] - r.T @ X / c[:, None]\nC_new = {SCATTER} / N"
        ),
        "You did not subtract the means: these are second moments about zero.": (
            "np.einsum('nk,ni,nj->kij', r, X, X) / c[:, None, None]"
        ),
        "You squared the responsibilities. Each data point counts once, with weight r.": (
            "d = X[:, None] - r.T @ X / c[:, None]\n"
            "C_new = np.einsum('nk,nki,nkj->kij', r**2, d, d) / c[:, None, None]"
        ),
    },
}
