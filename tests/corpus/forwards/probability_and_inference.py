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
