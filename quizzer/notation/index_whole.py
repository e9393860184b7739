"""Computing arrays as a whole in index notation: `x`, `A^{-1}`, `softmax(z)`."""

from collections.abc import Callable, Mapping

import numpy as np

from quizzer.notation.functions import ELEMENTWISE, WHOLE, Array
from quizzer.notation.nodes import Call, Group, Inverse, Name, Node, Transpose
from quizzer.notation.numpy_faults import plain_words
from quizzer.notation.values import FaultError

REDUCE: dict[str, Callable[..., Array]] = {
    "sum": np.sum,
    "prod": np.prod,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
}


def whole(node: Node, env: Mapping[str, Array]) -> Array:
    """An array as a whole, or a number."""
    match node:
        case Name(name):
            return np.asarray(env[name], float)
        case Group(inner):
            return whole(inner, env)
        case Transpose(base):
            return whole(base, env).T
        case Inverse(base):
            return _matrix_function("inv", whole(base, env), node)
        case Call(function, arguments) if function in REDUCE:
            return np.asarray(REDUCE[function](whole(arguments[0], env)))
        case Call(function, arguments) if function in ELEMENTWISE:
            return np.asarray(ELEMENTWISE[function](whole(arguments[0], env)))
        case Call(function, arguments):
            return _matrix_function(function, whole(arguments[0], env), node)
        case _:
            raise FaultError("A whole array is expected here.", node.at)


def is_whole(node: Node) -> bool:
    match node:
        case Name() | Transpose() | Inverse():
            return True
        case Group(inner):
            return is_whole(inner)
        case Call(_, arguments):
            return all(is_whole(argument) for argument in arguments)
        case _:
            return False


def _matrix_function(function: str, value: Array, node: Node) -> Array:
    square = value.ndim == 2 and value.shape[0] == value.shape[1]
    if function in ("inv", "det", "tr") and not square:
        shape = "×".join(map(str, value.shape)) or "a number"
        raise FaultError(f"{function} needs a square matrix, this is {shape}.", node.at, "shape")
    try:
        return np.asarray(WHOLE[function](value))
    except (ValueError, np.linalg.LinAlgError) as error:
        raise FaultError(f"{function}: {plain_words(error)}", node.at, "shape") from None
