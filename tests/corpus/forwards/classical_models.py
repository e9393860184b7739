"""Forwards of `cards/5_classical_models`."""

import autograd.numpy as np


def kernel_ridge(K, y, lam, alpha):
    error = K @ alpha - y
    return {"objective": error @ error + lam * alpha @ K @ alpha}


def gaussian_discriminant(x, u, v, C, pi):
    def log_density(mean):
        return -(x - mean) @ np.linalg.solve(C, x - mean) / 2

    a = np.log(pi) + log_density(u) - np.log(1 - pi) - log_density(v)
    return {"a": a, "p": 1 / (1 + np.exp(-a))}


def naive_bayes_smoothing(c, alpha, theta):
    return {"objective": np.sum((c + alpha) * np.log(_distributions(theta)))}


def svm_dual(X, y, alpha, w):
    J = w @ w / 2 + alpha @ (1 - y * (X @ w))
    signed = alpha * y
    return {"J": J, "g": np.sum(alpha) - signed @ X @ X.T @ signed / 2}


def kernel_logistic_regression(K, alpha, y, lam):
    f = K @ alpha
    return {"L": np.sum(np.logaddexp(0, f)) - y @ f + lam / 2 * alpha @ f}


def soft_threshold(a, lam):
    return {"w": np.maximum(a - lam, 0) + np.minimum(a + lam, 0)}


def pca_lagrange(C, w, eta):
    variance, squared_length = w @ C @ w, w @ w
    return {"J": variance + eta * (1 - squared_length), "R": variance / squared_length}


def ica(X, W):
    S = X @ W.T
    return {"L": len(X) * np.linalg.slogdet(W)[1] - np.sum(np.log(np.cosh(S)))}


def adaboost_weight(d, y, h, a):
    return {"objective": np.sum(d * np.exp(-a * y * h))}


def boosting_newton_leaf(f, y, lam, c):
    p = 1 / (1 + np.exp(-f))
    return {"objective": np.sum((p - y) * c + p * (1 - p) * c**2 / 2) + lam * c**2 / 2}


def alternating_least_squares(V, r, m, lam, u):
    return {"objective": np.sum(m * (r - V @ u) ** 2) + lam * u @ u}


def nmf_step(X, W, H):
    return {
        "L": np.sum((X - W @ H) ** 2) / 2,
        "U": H * (W.T @ X) / (W.T @ W @ H),
    }


def tsne_gradient(y, s):
    apart = 1 - np.eye(len(y))
    p = np.exp(s) * apart / np.sum(np.exp(s) * apart)
    heavy = apart / (1 + np.sum((y[:, np.newaxis] - y) ** 2, axis=2))
    q = heavy / np.sum(heavy)
    return {"L": np.sum(p * np.log((p + np.eye(len(y))) / (q + np.eye(len(y)))))}


def fisher_direction(S, u, v, w):
    return {"objective": (w @ (u - v)) ** 2 / (w @ S @ w)}


def k_means_update(X, r, M):
    return {"objective": np.sum(r * np.sum((X[:, np.newaxis] - M) ** 2, axis=2))}


def _distributions(positive):
    return positive / np.sum(positive, axis=-1, keepdims=True)


def gini_split_by_hand(a, b, c, d):
    def mixed(ones, zeros):
        return 1 - (ones**2 + zeros**2) / (ones + zeros) ** 2

    after = (a + b) * mixed(a, b) + (c + d) * mixed(c, d)
    return {"l": mixed(a, b), "g": mixed(a + c, b + d) - after / (a + b + c + d)}


def adaboost_round_by_hand(err, d):
    odds = (1 - err) / err
    return {"a": np.log(odds) / 2, "v": d * odds / (err * odds + 1 - err)}
