"""What compiled formulas call: comparisons, reductions, functions of whole matrices."""

from collections.abc import Callable

import numpy as np

from quizzer.notation.functions import WHOLE, Array
from quizzer.notation.nodes import Node
from quizzer.notation.numpy_faults import plain_words
from quizzer.notation.values import FaultError

COMPARE: dict[str, Callable[[Array, Array], Array]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
MULTIPLY: dict[str, Callable[[Array, Array], Array]] = {
    "/": np.true_divide,
    "⊘": np.true_divide,
    "//": np.floor_divide,
    "%": np.mod,
}
NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}
"""What the cells count that take no part."""
REDUCE: dict[str, Callable[..., Array]] = {
    "sum": np.sum,
    "prod": np.prod,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
}


def matrix_function(function: str, value: Array, node: Node) -> Array:
    """A function of a whole array. Raises FaultError where it is not square and must be."""
    square = value.ndim == 2 and value.shape[0] == value.shape[1]
    if function in ("inv", "det", "tr", "logdet", "chol", "expm") and not square:
        shape = "×".join(map(str, value.shape)) or "a number"
        raise FaultError(f"{function} needs a square matrix, this is {shape}.", node.at, "shape")
    try:
        return np.asarray(WHOLE[function](value))
    except (ValueError, np.linalg.LinAlgError) as error:
        raise FaultError(f"{function}: {plain_words(error)}", node.at, "shape") from None
