"""Forwards of `cards/7_optimisation`."""

import autograd.numpy as np


def rmsprop_step(g, w, rho, eta, eps):
    average = rho * w + (1 - rho) * g**2
    return {"u": -eta * g / (np.sqrt(average) + eps)}


def exact_line_search(A, b, x, p, alpha):
    point = x + alpha * p
    return {"objective": point @ A @ point / 2 - b @ point}


def conjugate_direction(A, r, p, beta):
    direction = r + beta * p
    return {"objective": direction @ A @ direction}


def natural_gradient_softmax(z, c):
    p = np.exp(z) / np.sum(np.exp(z))
    scores = np.eye(len(p)) - p
    fisher = scores.T @ np.diag(p) @ scores
    gradient = p * c - p * (p @ c)
    solved = np.linalg.solve(fisher + np.outer(p, p), gradient)
    return {"J": p @ c, "F": fisher, "n": solved}


def hyperparameter_gradient(X, y, lam, V, u):
    w = np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)
    return {"L": np.sum((V @ w - u) ** 2) / 2}


def fixed_point_layer(x, W):
    h = np.zeros(len(x))
    for _ in range(100):
        h = np.tanh(W @ h + x)
    return {"h": h}


def learning_rate_by_hand(a, b):
    best = 2 / (a + b)
    return {"m": 2 / b, "r": best, "c": abs(1 - best * a)}
