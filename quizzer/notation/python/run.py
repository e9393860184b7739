"""Running NumPy notation. It is executed as Python: only in a confined process."""

import builtins
import warnings
from collections.abc import Mapping
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from quizzer.notation import functions
from quizzer.notation.functions import ELEMENTWISE
from quizzer.notation.lexer.names import Names
from quizzer.notation.python.check import BUILTINS
from quizzer.notation.python.faults import explained
from quizzer.notation.python.text import Program
from quizzer.notation.values import FaultError

_LARGEST_PLACE = 2**31


def run(program: Program, names: Names, env: Mapping[str, Any]) -> Any:
    """Runs the text and returns what it computes, whatever it is.

    What the text raises comes out as a FaultError at its place in the text.
    """
    namespace = _namespace(program, names, env)
    for name in program.places & env.keys() & namespace.keys():
        namespace[name] = _whole(namespace[name])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(program.code, namespace)
            value = namespace.get(program.answer)
            if callable(value) and not isinstance(value, FunctionType):
                raise FaultError("This is a function: put behind it, in brackets, what it acts on.")
            if callable(value):
                return value(**_arguments(value, namespace))
    except (Exception, SystemExit) as error:
        if isinstance(error, FaultError):
            raise
        raise explained(error, program) from None
    return value


def _namespace(program: Program, names: Names, env: Mapping[str, Any]) -> dict[str, Any]:
    """What the names of a text mean: of the card's, those that are in it."""
    builtin, own = _known()
    space: dict[str, Any] = {"__builtins__": builtin.copy(), **own}
    for name in program.words & env.keys():
        space[name] = _own(env[name])
    for spelling in program.words & {"delta", "δ"}:
        if spelling not in space and (meant := names.find(spelling)):
            space[spelling] = space[meant] if meant in space else _own(env.get(meant))
    return space


@cache
def _known() -> tuple[dict[str, Any], dict[str, Any]]:
    """What Python itself and this notation name in every text."""
    builtin = {name: getattr(builtins, name) for name in BUILTINS if hasattr(builtins, name)}
    builtin["__import__"] = _import
    own = {"np": np, "numpy": np, "pi": np.pi, "one_hot": functions.one_hot}
    own |= ELEMENTWISE | functions.WHOLE
    own |= {"mean": np.mean, "prod": np.prod, "sum": total, "max": largest, "min": smallest}
    own |= {"_python_sum": pythons_sum, "_python_max": _pythons(max, "maximum")}
    own |= {"_python_min": _pythons(min, "minimum")}
    return builtin, own


def _own(value: Any) -> Any:
    """A copy, so that the text cannot change what others are given; a 0-d integer as an int."""
    if isinstance(value, np.ndarray):
        whole = value.ndim == 0 and value.dtype.kind in "iub"
        return value.item() if whole else value.copy()
    return value


def _whole(value: Any) -> Any:
    """The places that a card computes, by an argmax, as the integers that NumPy wants."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or not value.ndim:
        return value
    whole = np.abs(value) < _LARGEST_PLACE
    return value.astype(int) if whole.all() and (value == np.floor(value)).all() else value


def _import(name: str, *rest: Any) -> Any:
    """Imports of the text, which are checked where it is read, and NumPy's own late ones."""
    if name.split(".")[0] not in ("numpy", "math"):
        raise ImportError(f"Only numpy and math can be imported, not {name}")
    return builtins.__import__(name, *rest)


def _arguments(function: Any, namespace: dict[str, Any]) -> dict[str, Any]:
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    return {name: namespace[name] for name in code.co_varnames[:count] if name in namespace}


def total(x: Any, *more: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`sum(x)`, `sum(x, axis=0)`; of a generator or of a list of arrays as in Python."""
    arrays = isinstance(x, list | tuple) and any(map(_is_array, x))
    lazy = not isinstance(x, np.ndarray | list | tuple | np.generic | int | float)
    if (arrays or lazy) and axis is None and not keepdims:
        return builtins.sum(x, *more)
    if more:
        raise FaultError("Name the axis: sum(x, axis=0).", code="compute")
    if axis is None and isinstance(x, np.ndarray) and x.ndim > 1 and not keepdims:
        raise FaultError(
            "Python's sum adds the rows, on paper it is the total: write np.sum(x) for the total, "
            "sum(x, axis=0) for the rows added.",
            code="ambiguous",
        )
    return np.sum(x, axis=axis, keepdims=keepdims)


def pythons_sum(x: Any, *start: Any, **more: Any) -> Any:
    """Python's own: over the first axis. With an axis it can only be NumPy's."""
    return total(x, *start, **more) if "axis" in more else builtins.sum(x, *start, **more)


def _pythons(own: Any, ufunc: str) -> Any:
    """Python's `max` or `min`; of whole arrays it is refused, as Python does."""

    def extreme(*values: Any, **more: Any) -> Any:
        if "axis" in more:
            return (largest if ufunc == "maximum" else smallest)(*values, **more)
        try:
            return own(*values, **more)
        except ValueError:
            raise FaultError(
                f"{own.__name__} compares single numbers inside a def: write np.{ufunc}(a, b) for "
                f"each entry, np.{own.__name__}(a) for all of an array.",
                code="compute",
            ) from None

    return extreme


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def largest(*values: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`max(x, 0)` elementwise; `max(x)` and `max(x, axis=0)` of one array."""
    return _extreme(np.maximum, np.max, values, axis, keepdims)


def smallest(*values: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`min(x, 0)` elementwise; `min(x)` and `min(x, axis=0)` of one array."""
    return _extreme(np.minimum, np.min, values, axis, keepdims)


def _extreme(pair: Any, one: Any, values: tuple[Any, ...], axis: Any, keepdims: bool) -> Any:
    if len(values) == 1:
        value = values[0]
        return one(value if isinstance(value, np.ndarray) else list(np.atleast_1d(value)),
                   axis=axis, keepdims=keepdims)  # fmt: skip
    if axis is not None:
        raise FaultError("An axis goes with one array: max(x, axis=0).", code="compute")
    found = values[0]
    for value in values[1:]:
        found = pair(found, value)
    return found
