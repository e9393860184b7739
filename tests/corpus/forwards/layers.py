"""Forwards of `cards/2_layers`."""

import autograd.numpy as np


def two_layer_network(X, W, b, V, Y):
    logits = np.maximum(0, X @ W + b) @ V
    normaliser = np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    return {"L": -np.sum(Y * (logits - normaliser)) / len(X)}


def bilinear(x, z, W):
    return {"y": np.einsum("i,kij,j->k", x, W, z)}


def low_rank_adapter(X, W, A, B, s):
    return {"Y": X @ W + s * (X @ A) @ B}


def tied_weights(x, W):
    return {"r": W.T @ np.tanh(W @ x)}


def weight_norm(X, v, g):
    return {"y": X @ (g * v / np.sqrt(np.sum(v**2)))}


def swiglu(x, W, V, U):
    gate = W @ x
    return {"y": U @ (gate / (1 + np.exp(-gate)) * (V @ x))}


def gelu_exact(x):
    density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    term = total = x
    for k in range(1, 60):
        term = term * x**2 / (2 * k + 1)
        total = total + term
    return {"y": x * (0.5 + density * total)}


def hard_tanh(x, a, b):
    return {"y": np.minimum(b, np.maximum(a, x))}


def mish(x):
    return {"y": x * np.tanh(np.log1p(np.exp(x)))}


def maxout(x, W, b):
    return {"y": np.max(np.einsum("mki,i->mk", W, x) + b, axis=1)}


def softsign(x):
    return {"y": x / (1 + np.abs(x))}


def film(x, z, A, B):
    return {"y": (z @ A)[:, :, None] * x + (z @ B)[:, :, None]}


def embedding_bag(E, t, m):
    vectors = (np.eye(len(E))[t] * m[:, :, None]) @ E
    return {"y": np.sum(vectors, axis=1) / np.sum(m, axis=1)[:, None]}


def weight_penalties(W):
    return {
        "a": np.sum(np.abs(W)),
        "g": np.sum(np.sqrt(np.sum(W**2, axis=1))),
        "q": np.sum((W @ W.T - np.eye(len(W))) ** 2),
    }


def convolution_padded(x, w, b, s, p):
    _, rows, columns = w.shape[1:]
    padded = np.pad(x, ((0, 0), (p, p), (p, p)), "constant")
    starts = [
        range(0, length - width + 1, s)
        for length, width in zip(padded.shape[1:], (rows, columns), strict=True)
    ]
    windows = np.array(
        [[padded[:, i : i + rows, j : j + columns] for j in starts[1]] for i in starts[0]]
    )
    return {"y": np.einsum("klcuv,mcuv->mkl", windows, w) + b[:, None, None]}


def convolution_dilated(x, w, r):
    length = len(x) - r * (len(w) - 1)
    return {"y": sum(w[u] * x[r * u : r * u + length] for u in range(len(w)))}


def convolution_separable(x, w, P):
    length = x.shape[1] - w.shape[1] + 1
    h = sum(w[:, u : u + 1] * x[:, u : u + length] for u in range(w.shape[1]))
    return {"y": P @ h}


def global_average_pooling(x, V):
    return {"s": V @ np.mean(x, axis=(1, 2))}


def max_pooling_padded(x):
    starts = [range(-1, length, 2) for length in x.shape]
    return {
        "f": np.array(
            [
                [np.max(x[max(i, 0) : i + 3, max(j, 0) : j + 3]) for j in starts[1]]
                for i in starts[0]
            ]
        )
    }


def linear_upsampling(x, s):
    places = np.arange(s * (len(x) - 1) + 1) / s
    left = np.minimum(places.astype(int), len(x) - 2)
    part = places - left
    return {"y": (1 - part) * x[left] + part * x[left + 1]}


def pixel_shuffle(x, w):
    values = np.einsum("cuvm,mij->ciujv", w, x)
    C, H, R, W, S = values.shape
    return {"y": values.reshape(C, H * R, W * S)}


def im2col(x, W):
    M, C, K = W.shape
    P = np.array([x[:, t : t + K].reshape(-1) for t in range(x.shape[1] - K + 1)])
    return {"Y": P @ W.reshape(M, C * K).T}


def spatial_softmax(z, a, b):
    p = np.exp(z) / np.sum(np.exp(z))
    return {"h": a @ np.sum(p, axis=1), "v": np.sum(p, axis=0) @ b}


def instance_norm(x, gamma, eps):
    centred = x - np.mean(x, axis=2, keepdims=True)
    deviation = np.sqrt(np.mean(centred**2, axis=2, keepdims=True) + eps)
    return {"y": gamma[:, None] * centred / deviation}


def batch_norm_test_time(x, m, v, gamma, beta, eps, rho):
    y = gamma * (x - m) / np.sqrt(v + eps) + beta
    return {"y": y, "m_new": m + rho * (np.mean(x, axis=0) - m)}


def spectral_norm(x, W, u, v):
    return {"y": W @ x / (u @ W @ v)}


def convolution_output_size(n, k, d, p, s):
    last = [start + d * (k - 1) for start in range(0, n + 2 * p, s)]
    return {"w": last[0] + 1, "y": sum(place < n + 2 * p for place in last)}


def depthwise_parameters(C, M, k):
    full, depthwise, pointwise = np.ones((M, C, k, k)), np.ones((C, k, k)), np.ones((M, C))
    return {"a": full.size, "b": depthwise.size + pointwise.size}


def batch_norm_folding(w, b, m, s, gamma, beta):
    def merged(x):
        return gamma * (w * x + b - m) / s + beta

    return {"w_new": merged(1) - merged(0), "b_new": merged(0)}
