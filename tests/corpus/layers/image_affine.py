"""A gain and an offset for each channel of images, as in batch normalisation."""

import numpy as np


def sample(rng):
    n, c, h, w = rng.choice([2, 3, 4, 5], size=4, replace=False)
    return {
        "X": rng.standard_normal((n, c, h, w)),
        "g": rng.standard_normal(c),
        "b": rng.standard_normal(c),
    }


def forward(X, g, b):
    return {"Y": g[:, np.newaxis, np.newaxis] * X + b[:, np.newaxis, np.newaxis]}


right = {
    "dX": ["np.einsum('c,nchw->nchw', g, dY)", "dX[n,c,h,w] = dY[n,c,h,w] g[c]"],
    "dg": ["np.sum(dY * X, axis=(0, 2, 3))", "dg_c = sum_{n,h,w} dY_{nchw} X_{nchw}"],
    "db": ["dY.sum(axis=(0, 2, 3))", "db_c = sum(n,h,w) dY_nchw"],
}
mistakes = {
    "dX": {
        "transposed": ["np.einsum('c,nchw->nhwc', g, dY)", "dX[c,n,h,w] = dY[n,c,h,w] g[c]"],
        "flipped": ["np.einsum('c,nchw->nchw', g, dY)[..., ::-1]"],
        "sign": ["dX[n,c,h,w] = -dY[n,c,h,w] g[c]"],
    },
    "dg": {
        "not-summed": ["np.sum(dY * X, axis=0)"],
        "over-summed": ["np.sum(dY * X)"],
    },
    "db": {
        "not-summed": ["dY.sum(axis=(2, 3))", "dY"],
        "over-summed": ["dY.sum()"],
    },
}
