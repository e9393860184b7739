"""Max pooling over 2x2 windows with stride 2."""

answers = {"df_dx": "local derivative", "dx": "backward message"}


def sample(rng):
    h, w = rng.choice([2, 3, 4], size=2, replace=False)
    return {"x": rng.standard_normal((2 * h, 2 * w))}


def forward(x):
    h, w = x.shape
    return {"f": x.reshape(h // 2, 2, w // 2, 2).max(axis=(1, 3))}
