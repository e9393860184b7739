"""The functions of the three notations, on arrays. None warns; NaN is for the caller to judge."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray[Any, np.dtype[Any]]


def sigmoid(x: ArrayLike) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * np.asarray(x, float))))


def relu(x: ArrayLike) -> Array:
    return np.asarray(np.maximum(x, 0))


def softplus(x: ArrayLike) -> Array:
    """log(1 + exp(x)), without overflow."""
    return np.asarray(np.logaddexp(0, x))


def softmax(x: ArrayLike, axis: int | tuple[int, ...] = -1) -> Array:
    """exp(x) / sum(exp(x)) along an axis, the last one unless said."""
    values = np.asarray(x, float)
    powers = np.exp(values - values.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True))


def logsumexp(
    x: ArrayLike, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """log(sum(exp(x))). A matrix needs its axis said."""
    values = np.asarray(x, float)
    if axis is None and values.ndim > 1:
        raise ValueError("logsumexp of a matrix needs its axis: logsumexp(z, axis=-1)")
    top = values.max(axis=axis, keepdims=True)
    total = np.log(np.exp(values - top).sum(axis=axis, keepdims=True)) + top
    return np.asarray(total if keepdims else np.squeeze(total, axis=axis))


def norm(x: ArrayLike, axis: int | None = None, keepdims: bool = False) -> Array:
    """Euclidean length of a vector, Frobenius norm of a matrix."""
    squares = np.sum(np.abs(np.asarray(x)) ** 2, axis=axis, keepdims=keepdims)
    return np.asarray(np.sqrt(squares))


def expm(x: ArrayLike) -> Array:
    """The matrix exponential, by its series after halving until the matrix is small."""
    matrix = np.asarray(x, float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError("expm needs a square matrix")
    size = float(np.abs(matrix).sum(axis=1).max(initial=0.0))
    if not np.isfinite(size):
        return np.full_like(matrix, np.nan)
    halvings = max(0, int(np.ceil(np.log2(size))) + 2) if size > 0 else 0
    small = matrix / 2.0**halvings
    power = total = np.eye(len(matrix))
    for order in range(1, 20):
        power = power @ small / order
        total = total + power
    for _ in range(min(halvings, 64)):
        total = total @ total
    return np.asarray(total)


def one_hot(labels: ArrayLike, n: int) -> Array:
    """Rows of zeros with a one at each label; `labels` are integers from 0, any shape."""
    places = np.asarray(labels)
    return np.asarray(places[..., None] == np.arange(int(n)), float)


ELEMENTWISE: dict[str, Callable[[ArrayLike], Array]] = {
    "exp": np.exp,
    "log": np.log,
    "ln": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "arctan": np.arctan,
    "sin": np.sin,
    "cos": np.cos,
    "abs": np.abs,
    "sign": np.sign,
    "sgn": np.sign,
    "floor": np.floor,
    "sigmoid": sigmoid,
    "sigma": sigmoid,
    "σ": sigmoid,
    "relu": relu,
    "softplus": softplus,
}

WHOLE: dict[str, Callable[[ArrayLike], Array]] = {
    "softmax": softmax,
    "logsumexp": logsumexp,
    "norm": norm,
    "tr": lambda a: np.asarray(np.trace(np.asarray(a))),
    "det": lambda a: np.asarray(np.linalg.det(np.asarray(a))),
    "inv": lambda a: np.linalg.inv(np.asarray(a)),
    "diag": lambda a: np.diag(np.asarray(a)),
    "expm": expm,
}
"""Functions that take an array as a whole."""

REDUCTIONS = {"sum", "prod", "mean", "max", "min"}

REDUCTION_SIGNS = {"Σ": "sum", "Π": "prod"}

WORDS = frozenset({*ELEMENTWISE, *WHOLE, *REDUCTIONS, *REDUCTION_SIGNS, "if", "else", "and", "or"})
"""Words with a meaning of their own, unless the card has a name that is spelled so."""
