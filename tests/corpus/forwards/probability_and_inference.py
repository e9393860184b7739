"""Forwards of `cards/6_probability_and_inference`."""

import autograd.numpy as np


def planar_flow(z, w, u, b):
    bent = np.tanh(w @ z + b)
    jacobian = np.eye(len(z)) + (1 - bent**2) * np.outer(u, w)
    return {"y": z + u * bent, "s": np.linalg.slogdet(jacobian)[1]}


def gumbel_softmax(z, u, tau):
    score = np.exp((z - np.log(-np.log(u))) / tau)
    return {"y": score / np.sum(score)}


def categorical_maximum_likelihood(c, pi):
    return {"objective": -np.sum(c * np.log(pi / np.sum(pi)))}


def dirichlet_evidence(alpha, c):
    """Throw by throw: each side has the mean of what was known before it."""
    log_evidence, known = 0.0, alpha
    for side, count in enumerate(c):
        for _ in range(count):
            log_evidence = log_evidence + np.log(known[side] / np.sum(known))
            known = known + (np.arange(len(c)) == side)
    return {"m": known / np.sum(known), "l": log_evidence}


def gaussian_conditional(u, v, y, A, B, C):
    """From the precision of both together."""
    precision = np.linalg.inv(np.vstack([np.hstack([A, B]), np.hstack([B.T, C])]))
    own, shared = precision[: len(u), : len(u)], precision[: len(u), len(u) :]
    return {"m": u - np.linalg.solve(own, shared @ (y - v)), "V": np.linalg.inv(own)}


def gp_prediction(K, k, y, c, s):
    """From the precision of the new value and the targets together."""
    noisy = K + s * np.eye(len(y))
    new = np.append(c, k)[:, np.newaxis]
    precision = np.linalg.inv(np.hstack([new, np.vstack([k, noisy])]))
    return {"m": -precision[0, 1:] @ y / precision[0, 0], "v": 1 / precision[0, 0]}


def exponential_family_mean(T, eta, t):
    score = T @ eta
    A = np.log(np.sum(np.exp(score)))
    return {"A": A, "p": np.exp(score) / np.sum(np.exp(score)), "l": t @ eta - A}


def bernoulli_mixture_em(x, w, mu):
    each = np.where(x[:, np.newaxis] == 1, mu, 1 - mu)
    joint = w * np.prod(each, axis=2)
    r = joint / np.sum(joint, axis=1, keepdims=True)
    return {"r": r, "v": np.stack([np.average(x, axis=0, weights=group) for group in r.T])}


def hmm_forward(f, P, e):
    return {"g": e * (P.T @ f)}


def crf_chain(a, b, c, W, t, u, v):
    whole = a[:, None, None] + W[:, :, None] + b[:, None] + W + c
    return {"L": np.log(np.sum(np.exp(whole))) - whole[t, u, v]}


def mean_field_update(E, r, q):
    q = q / np.sum(q)
    return {"objective": q @ E @ r - np.sum(q * np.log(q))}


def vae_bernoulli_decoder(x, W, mu, s, eps):
    lit = 1 / (1 + np.exp(-W @ (mu + s * eps)))
    pixels = -np.sum(np.log(np.where(x == 1, lit, 1 - lit)))
    return {"L": pixels + np.sum(mu**2 + s**2 - 1 - np.log(s**2)) / 2}


def affine_coupling(u, v, A, B):
    scale = np.exp(A @ u)
    return {"y": scale * v + B @ u, "l": np.log(np.prod(scale))}


def diffusion_forward(x, beta):
    """Each noise on its own: what is left of it after the later steps."""
    means, variances = [], []
    for step in range(1, len(beta) + 1):
        kept = [np.prod(1 - beta[first:step]) for first in range(step + 1)]
        means.append(x * np.sqrt(kept[0]))
        variances.append(np.dot(kept[1:], beta[:step]))
    return {"m": np.array(means), "v": np.array(variances)}


def diffusion_posterior(x, y, a, beta, u):
    before = np.sum((u - np.sqrt(a) * x) ** 2) / (1 - a)
    return {"objective": before + np.sum((y - np.sqrt(1 - beta) * u) ** 2) / beta}


def denoising_score(x, y, f, a):
    moved = y - np.sqrt(a) * x
    return {
        "l": -np.sum(moved**2) / (2 * (1 - a)),
        "L": np.sum((f - moved / np.sqrt(1 - a)) ** 2),
    }


def score_matching(x, P, m):
    s = -(x - m) @ P.T
    return {"L": np.mean(np.sum(s**2, axis=1)) / 2 - np.trace(P)}


def rare_class_by_hand(pi, s, f):
    joint = np.array([[pi * s, pi * (1 - s)], [(1 - pi) * f, (1 - pi) * (1 - f)]])
    reported = np.sum(joint[:, 0])
    return {"r": reported, "p": joint[0, 0] / reported}


def beta_posterior_by_hand(a, b, n, k):
    rates = np.linspace(0, 1, 100_001)
    density = rates ** (a + k - 1) * (1 - rates) ** (b + n - k - 1)
    mode = (a + k - 1) / (a + k - 1 + b + n - k - 1)
    assert abs(rates[np.argmax(density)] - mode) < 1e-5
    return {"m": np.average(rates, weights=density), "q": mode}


def hmm_filter_by_hand(p, w, g, h):
    fine, worn = np.array([1 - p, p]) @ np.array([[1 - w, w], [0, 1]])
    joint = np.array([fine * g, worn * h])
    return {"q": worn, "r": joint[1] / np.sum(joint)}
