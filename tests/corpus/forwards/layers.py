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
