"""Forwards of `cards/3_losses`."""

import autograd.numpy as np


def distillation(z, t, tau):
    student = np.exp(z / tau) / np.sum(np.exp(z / tau), axis=1, keepdims=True)
    teacher = np.exp(t / tau) / np.sum(np.exp(t / tau), axis=1, keepdims=True)
    return {"L": -(tau**2) * np.sum(teacher * np.log(student)) / len(z)}


def dice_loss(p, y, eps):
    return {"L": 1 - 2 * np.sum(p * y) / (np.sum(p) + np.sum(y) + eps)}


def pinball_loss(f, y, tau):
    return {"L": np.mean(np.maximum(tau * (y - f), (tau - 1) * (y - f)))}


def brier_score(z, y):
    return {"L": np.sum((np.exp(z) / np.sum(np.exp(z)) - y) ** 2)}


def class_weighted_nll(Z, Y, m, w):
    weight = m * (Y @ w)
    right = np.sum(Y * Z, axis=1) - np.log(np.sum(np.exp(Z), axis=1))
    return {"L": -np.sum(weight * right) / np.sum(weight)}


def masked_sequence_loss(Z, Y, l):  # noqa: E741, as the card writes it
    real = np.arange(Z.shape[1]) < l[:, None]
    right = np.sum(Y * Z, axis=2) - np.log(np.sum(np.exp(Z), axis=2))
    return {
        "L": -np.sum(real * right) / np.sum(l),
        "M": -np.mean(np.sum(real * right, axis=1) / l),
    }


def clip_loss(Q, K, s):
    scores = np.exp(s) * Q @ K.T
    across = np.diag(scores) - np.log(np.sum(np.exp(scores), axis=1))
    down = np.diag(scores) - np.log(np.sum(np.exp(scores), axis=0))
    return {"L": -np.mean(across + down) / 2}


def siamese_contrastive(A, B, W, y, mu):
    distance = np.sqrt(np.sum((A @ W.T - B @ W.T) ** 2, axis=1))
    far = np.maximum(0, mu - distance) ** 2
    return {"L": np.mean(np.where(y == 1, distance**2, far)) / 2}


def glove(W, U, b, c, Q, F):
    return {"L": np.sum(F * (W @ U.T + b[:, None] + c - Q) ** 2)}


def gan_losses(a, b):
    made = np.mean(np.log(1 + np.exp(b)))
    return {
        "D": np.mean(np.log(1 + np.exp(-a))) + made,
        "G": -made,
        "H": np.mean(np.log(1 + np.exp(-b))),
    }


def gradient_penalty(x, W, v):
    slope = (v * (W @ x > 0)) @ W
    return {"L": (np.sqrt(slope @ slope) - 1) ** 2}


def vector_quantisation(z, C, beta):
    nearest = np.min(np.sum((z[:, None] - C) ** 2, axis=2), axis=1)
    return {"A": np.mean(nearest), "B": beta * np.mean(nearest)}


def charbonnier(y_hat, y, eps):
    return {"L": np.mean(np.sqrt((y_hat - y) ** 2 + eps**2))}


def perplexity_by_hand(p):
    return {"L": -np.mean(np.log(p)), "Q": np.prod(p) ** (-1 / len(p))}
