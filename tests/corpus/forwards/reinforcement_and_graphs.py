"""Forwards of `cards/8_reinforcement_and_graphs`."""

import autograd.numpy as np


def preference_pairs(p, q, r, s, beta):
    return {"L": np.mean(np.log(1 + np.exp(-beta * (p - r - q + s))))}


def graph_convolution(S, X, W):
    return {"Y": np.maximum(0, S @ X @ W)}


def generalised_advantage(r, v, gamma, c):
    following = np.concatenate([v[1:], np.zeros(1)])
    distance = np.arange(len(r)) - np.arange(len(r))[:, None]
    decay = np.where(distance >= 0, c ** np.maximum(distance, 0.0), 0.0)
    return {"A": decay @ (r + gamma * following - v)}


def clipped_policy(l, k, A, eps):  # noqa: E741, as the card writes it
    ratio = np.exp(l - k)
    clipped = np.minimum(np.maximum(ratio, 1 - eps), 1 + eps)
    return {"L": -np.mean(np.minimum(ratio * A, clipped * A))}


def graph_attention(X, E, a, b, c):
    scores = (X @ a)[:, None] + X @ b
    weights = E * np.exp(np.where(scores > 0, scores, c * scores))
    return {"Y": weights @ X / np.sum(weights, axis=1, keepdims=True)}


def semi_gradient(X, Z, r, gamma, w, q):
    frozen = r + gamma * Z @ q - X @ w
    moving = r + gamma * Z @ w - X @ w
    return {"L": np.mean(frozen**2) / 2, "M": np.mean(moving**2) / 2}


def policy_entropy(z, y, A, beta):
    log_p = z - np.log(np.sum(np.exp(z)))
    entropy = -np.sum(np.exp(log_p) * log_p)
    return {"H": entropy, "J": A * np.sum(y * log_p) + beta * entropy}


def td_error_by_hand(v, r, u, gamma, alpha):
    return {"e": r + gamma * u - v, "w": (1 - alpha) * v + alpha * (r + gamma * u)}
