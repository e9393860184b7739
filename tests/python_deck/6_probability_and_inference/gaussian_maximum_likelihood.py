"""Maximum likelihood for a Gaussian: its mean and its covariance, in closed form."""

answers = {"mu_hat": "estimate of the mean", "C_hat": "estimate of the covariance"}
sizes = {"N": ("X", 0), "D": ("X", 1)}
symbols = {"mu_hat": "μ̂", "C_hat": "Ĉ"}
assume = "N > D"


def sample(rng):
    """Data whose mean is far from zero, on either side, so that it cannot be forgotten unseen."""
    D = rng.integers(2, 5)
    N = D + rng.integers(1, 5)
    mean = rng.choice([-1, 1], size=D) * rng.uniform(1, 2, size=D)
    return {"X": rng.standard_normal((N, D)) + mean}


def forward(X):
    """Both results are outputs, so that the answer for the covariance may use the mean."""
    centred = X - X.mean(axis=0)
    return {"mu_hat": X.mean(axis=0), "C_hat": centred.T @ centred / X.shape[0]}


right = {
    "mu_hat": [
        "X.mean(axis=0)",
        "mu_hat[i] = mean_n X[n,i]",
        r"\hat{\mu} = \frac{1}{N} X^\top \mathbf{1}",
    ],
    "C_hat": [
        "np.cov(X.T, bias=True)",
        "X.T @ X / N - np.outer(X.mean(axis=0), X.mean(axis=0))",
        "C_hat[i,j] = mean_n (X[n,i] - mu_hat[i]) (X[n,j] - mu_hat[j])",
        r"C_hat = \frac{1}{N} X^\top X - \hat{\mu} \hat{\mu}^\top",
    ],
}

wrong = {
    "mu_hat": {
        "The average is missing: divide the sum by N.": "X.sum(axis=0)",
        "You averaged over the features; each feature has its own mean.": "X.mean(axis=1)",
        "Maximum likelihood divides the sum by N.": "X.sum(axis=0) / (N - 1)",
    },
    "C_hat": {
        "Dividing by N - 1 removes the bias, but it is not maximum likelihood.": "np.cov(X.T)",
        "You did not subtract the mean: these are second moments about zero.": "X.T @ X / N",
        "The average is missing: divide the sum by N.": "N * np.cov(X.T, bias=True)",
        "These are only the variances. Off the diagonal, the covariances are missing.": (
            "np.diag(X.var(axis=0))"
        ),
        "These are covariances of the examples. The estimate has a row and a column for each "
        "feature.": ("np.cov(X, bias=True)"),
    },
}
