"""The functions of the three notations, on arrays. None warns; NaN is for the caller to judge."""

import math
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
    small = matrix / 2.0**halvings  # at most 1/4 in norm: the 13th term is below 1e-17
    power = total = np.eye(len(matrix))
    for order in range(1, 14):
        power = power @ (small / order)
        total = total + power
    for _ in range(min(halvings, 64)):
        total = total @ total
    return np.asarray(total)


def lgamma(x: ArrayLike) -> Array:
    """log Γ(x) for x > 0, NaN elsewhere."""
    return np.asarray(_LGAMMA(np.asarray(x, float)), float)


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x) if x > 0 else math.nan
    except OverflowError:
        return math.inf


_LGAMMA = np.frompyfunc(_lgamma, 1, 1)
_ERF = np.frompyfunc(math.erf, 1, 1)


_HARMONIC = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""Of the asymptotic series of digamma; after a shift to 10 its error is below 1e-16."""


def digamma(x: ArrayLike) -> Array:
    """The derivative of log Γ for x > 0, NaN elsewhere."""
    values = np.asarray(x, float)
    z = np.where(values > 0, values, np.nan)
    shift = np.zeros_like(z)
    for _ in range(10):
        shift = shift + np.where(z < 10, 1 / z, 0.0)
        z = np.where(z < 10, z + 1, z)
    series = sum(c / z ** (2 * k + 2) for k, c in enumerate(_HARMONIC))
    return np.asarray(np.log(z) - 0.5 / z - series - shift)


def erf(x: ArrayLike) -> Array:
    """The error function, entry by entry."""
    return np.asarray(_ERF(np.asarray(x, float)), float)


def normal_cdf(x: ArrayLike) -> Array:
    """Φ, the distribution function of the standard normal."""
    return np.asarray(0.5 * (1 + erf(np.asarray(x, float) / math.sqrt(2))))


def normal_density(x: ArrayLike) -> Array:
    """The derivative of Φ."""
    return np.asarray(np.exp(-0.5 * np.square(np.asarray(x, float))) / math.sqrt(2 * math.pi))


def pinv(x: ArrayLike) -> Array:
    """Moore and Penrose's inverse."""
    return np.asarray(np.linalg.pinv(np.asarray(x, float)))


def eigenvalues(x: ArrayLike) -> Array:
    """Those of the symmetric part, in ascending order."""
    return np.asarray(_eigen(x)[0])


def eigenvectors(x: ArrayLike) -> Array:
    """Those of the symmetric part, as columns of length 1 in the order of their eigenvalues."""
    return np.asarray(_eigen(x)[1])


def _eigen(x: ArrayLike) -> Any:
    matrix = np.asarray(x, float)
    return np.linalg.eigh((matrix + matrix.T) / 2)


def rowsum(x: ArrayLike) -> Array:
    """The sum of every row, as a column; of a vector, its sum."""
    values = np.asarray(x, float)
    return np.asarray(values.sum(axis=-1, keepdims=values.ndim > 1))


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
    "tan": np.tan,
    "sec": lambda x: np.asarray(1 / np.cos(x)),
    "sech": lambda x: np.asarray(1 / np.cosh(x)),
    "arcsin": np.arcsin,
    "arccos": np.arccos,
    "erf": erf,
    "Φ": normal_cdf,
    "lgamma": lgamma,
    "digamma": digamma,
    "abs": np.abs,
    "sign": np.sign,
    "sgn": np.sign,
    "floor": np.floor,
    "ceil": np.ceil,
    "sigmoid": sigmoid,
    "sigma": sigmoid,
    "σ": sigmoid,
    "relu": relu,
    "softplus": softplus,
    "sigmoid'": lambda x: np.asarray(sigmoid(x) * sigmoid(-np.asarray(x, float))),
    "tanh'": lambda x: np.asarray(1 / np.cosh(x) ** 2),
    "relu'": lambda x: np.asarray(np.asarray(x) > 0, float),
    "softplus'": sigmoid,
    "Φ'": normal_density,
}
"""What acts on every entry; a prime is for the derivative."""

SAME_FUNCTIONS = {
    "ReLU": "relu",
    "Tr": "tr",
    "trace": "tr",
    "Diag": "diag",
    "atan": "arctan",
    "asin": "arcsin",
    "acos": "arccos",
    "normcdf": "Φ",
    "Phi": "Φ",
}
"""Other spellings of some."""

WHOLE: dict[str, Callable[[ArrayLike], Array]] = {
    "softmax": softmax,
    "logsumexp": logsumexp,
    "norm": norm,
    "tr": lambda a: np.asarray(np.trace(np.asarray(a))),
    "det": lambda a: np.asarray(np.linalg.det(np.asarray(a))),
    "inv": lambda a: np.linalg.inv(np.asarray(a)),
    "diag": lambda a: np.diag(np.asarray(a)),
    "expm": expm,
    "logdet": lambda a: np.asarray(np.linalg.slogdet(np.asarray(a))[1]),
    "chol": lambda a: np.linalg.cholesky(np.asarray(a)),
    "pinv": pinv,
    "eigenvalues": eigenvalues,
    "eigenvectors": eigenvectors,
    "rowsum": rowsum,
}
"""Functions that take an array as a whole."""

SQUARE_ONLY = frozenset(
    {"inv", "det", "tr", "logdet", "chol", "expm", "eigenvalues", "eigenvectors"}
)

REDUCTIONS = {"sum", "prod", "mean", "max", "min"}

REDUCTION_SIGNS = {"Σ": "sum", "Π": "prod"}

PAIRS = {"outer": 2, "kron": 2, "dot": 2, "inner": 2, "clip": 3}
"""Functions of several arrays, with how many."""

WORDS = frozenset(
    {
        *ELEMENTWISE,
        *WHOLE,
        *PAIRS,
        *SAME_FUNCTIONS,
        *REDUCTIONS,
        *REDUCTION_SIGNS,
        *("if", "else", "and", "or", "otherwise"),
    }
)
"""Words with a meaning of their own, unless the card has a name that is spelled so."""
