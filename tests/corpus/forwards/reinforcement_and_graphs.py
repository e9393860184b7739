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
