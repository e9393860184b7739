"""What compiled formulas call: comparisons, reductions, functions of whole matrices."""

import operator
from typing import Any

import numpy as np

from quizzer.notation.compiler.program import Code, Function, Program, Shape
from quizzer.notation.functions import SQUARE_ONLY, WHOLE, Array
from quizzer.notation.python.faults import plain_words
from quizzer.notation.values import FaultError

COMPARE: dict[str, Function] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
MULTIPLY: dict[str, Function] = {
    "/": operator.truediv,
    "⊘": operator.truediv,
    "//": np.floor_divide,
    "%": np.mod,
}
"""What a sign between factors does, where it is not multiplication."""
NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}
"""What the cells count that take no part."""
REDUCE: dict[str, Function] = {
    "sum": np.sum,
    "prod": np.prod,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
}
REDUCE_OVER: dict[str, Function] = {
    "sum": np.add.reduce,
    "mean": np.add.reduce,
    "prod": np.multiply.reduce,
    "max": np.maximum.reduce,
    "min": np.minimum.reduce,
}
"""What an array and the axes to reduce are given to; of a mean, its sum."""


def matrix_function(program: Program, function: str, value: Code, at: int | None) -> Code:
    """A function of a whole array. Raises FaultError where it is not square and must be."""
    shape = value.shape
    if function in SQUARE_ONLY and not (len(shape) == 2 and shape[0] == shape[1]):
        shown = "×".join(map(str, shape)) or "a number"
        raise FaultError(f"{function} needs a square matrix, this is {shown}.", at, "shape")

    def run(array: Array) -> Any:
        try:
            return WHOLE[function](array)
        except (ValueError, np.linalg.LinAlgError) as error:
            raise FaultError(f"{function}: {plain_words(error)}", at, "shape") from None

    view = function == "diag"
    return program.call(run, value, shape=_shape_of(function, shape), key=(function, at), view=view)


def _shape_of(function: str, shape: Shape) -> Shape:
    """The shape of what the function gives."""
    match function:
        case "inv" | "expm" | "chol" | "softmax" | "eigenvectors":
            return shape
        case "eigenvalues":
            return shape[:1]
        case "pinv":
            return shape[::-1]
        case "rowsum":
            return (*shape[:-1], 1) if len(shape) > 1 else ()
        case "diag":
            return shape * 2 if len(shape) == 1 else (min(shape, default=1),)
        case _:
            return ()
