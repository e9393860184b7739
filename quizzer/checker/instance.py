"""Instances: random problems of one checker, and their named values."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from quizzer.checker.derivative import Array, Uncertified
from quizzer.checker.load import Checker, CheckerError, call
from quizzer.checker.meaning import UPSTREAM_ALIASES

Value = NDArray[np.generic] | bool | int | float | str

_EXACT = 1e-12  # absolute error of a value that is no derivative


class Truth(Struct, frozen=True):
    """The right answer on one instance, the error of each entry, and the other convention's value.

    For a 0-d output the message and the local derivative differ by the upstream only; `other` is
    whichever of the two was not asked.
    """

    value: Array
    error: Array
    other: Array | None = None


class Contraction(Struct, frozen=True):
    """The sum of the right answer's entries times a random direction, and the error it may have.

    Two runs of the forward are enough, where all entries would take two each.
    """

    direction: Array
    value: float
    error: float


class Instance(Struct, frozen=True):
    """One random problem: every named value, and the truth of what is asked."""

    inputs: dict[str, Value]
    outputs: dict[str, Array]
    intermediates: dict[str, Value] = field(default_factory=dict)
    upstreams: dict[str, Array] = field(default_factory=dict)
    truths: dict[str, Truth] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, Value]:
        """All named values, as the checker's functions and the learner may use them."""
        names: dict[str, Value] = dict(self.inputs)
        names |= self.outputs
        names |= self.intermediates
        names |= self.upstreams
        if len(self.upstreams) == 1:
            (upstream,) = self.upstreams.values()
            names |= dict.fromkeys(UPSTREAM_ALIASES, upstream)
        return names

    def value(self, name: str) -> Array:
        """An output or an intermediate as floats."""
        found = self.outputs[name] if name in self.outputs else self.intermediates[name]
        return np.asarray(found, float)

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(name for name, value in self.inputs.items() if is_variable(value))


def exact(value: Array) -> Truth:
    """The truth of a value that was computed directly, not as a derivative."""
    return Truth(value, np.full_like(value, _EXACT))


def is_variable(value: Value) -> bool:
    """Whether an input is differentiated: an array of floats, 0-d too."""
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def is_symmetric(array: Array) -> bool:
    """Whether an array is a symmetric matrix of more than one entry."""
    square = array.ndim == 2 and array.shape[0] == array.shape[1] > 1
    return square and np.allclose(array, array.T)


def draw_inputs(checker: Checker, rng: "np.random.Generator") -> dict[str, Value]:
    """One sample, with float arrays in double precision."""
    sample = call(checker.sample, "sample", {"rng": rng})
    if not isinstance(sample, dict) or not sample:
        raise CheckerError("sample must return a dict with every argument of forward")
    inputs = _values(sample, "sample")
    for name, value in inputs.items():
        if isinstance(value, np.ndarray) and value.size == 0:
            raise CheckerError(f"sample gives an empty array `{name}`")
    return inputs


def work_out(
    checker: Checker, inputs: dict[str, Value], rng: "np.random.Generator | None" = None
) -> Instance:
    """The instance of given inputs: outputs, intermediates and, with `rng`, random upstreams.

    Raises Uncertified where a value is not finite, so that another sample may be tried.
    """
    outputs = forward(checker, inputs)
    for name, output in outputs.items():
        if not np.isfinite(output).all():
            raise Uncertified(f"forward gives NaN or infinity in `{name}`")
    intermediates = {}
    if checker.let is not None:
        found = call(checker.let, "let", inputs if checker.is_formulas else copied(inputs))
        if not isinstance(found, dict):
            raise CheckerError("let must return a dict of named intermediates")
        intermediates = _values(found, "let")
    upstreams = {f"d{name}": _upstream(rng, output) for name, output in outputs.items() if rng}
    return Instance(inputs, outputs, intermediates, upstreams)


def forward(checker: Checker, inputs: Mapping[str, Value]) -> dict[str, Array]:
    """The outputs by name, in double precision; empty without a forward."""
    if checker.forward is None:
        return {}
    return {
        name: np.asarray(output, float)
        for name, output in raw_outputs(checker.forward, inputs, safe=checker.is_formulas).items()
    }


def raw_outputs(
    function: Any, inputs: Mapping[str, Any], what: str = "forward", safe: bool = False
) -> dict[str, NDArray[Any]]:
    """The outputs of a forward as it gives them, complex ones too where an input is complex.

    A function that is not `safe` may change its inputs, so it gets copies.
    """
    result = call(function, what, inputs if safe else copied(inputs))
    named = result if isinstance(result, dict) else {"y": result}
    if not named:
        raise CheckerError(f"{what} returns no output")
    outputs = {}
    for name, value in named.items():
        _must_be_name(name, what)
        array = np.asarray(value)
        is_real = array.dtype.kind in "biuf"
        if not (is_real or (array.dtype.kind == "c" and _some_complex(inputs))):
            raise CheckerError(f"{what} must return arrays of real numbers; `{name}` is not")
        if array.dtype.kind == "f" and array.dtype.itemsize < 8:
            raise CheckerError(
                f"{what} gives `{name}` in {array.dtype}; that is too coarse to differentiate, "
                "use float64"
            )
        outputs[name] = array
    return outputs


def _some_complex(values: Mapping[str, Any]) -> bool:
    return any(np.iscomplexobj(value) for value in values.values())


def copied(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with copies of the arrays, so that changes stay local."""
    return {
        name: value.copy() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def shape(value: Value) -> tuple[int, ...]:
    return value.shape if isinstance(value, np.ndarray) else ()


def _upstream(rng: "np.random.Generator | None", output: Array) -> Array:
    assert rng is not None
    if output.ndim:
        return rng.standard_normal(output.shape)
    return np.asarray(rng.choice([-1.0, 1.0]) * rng.uniform(1.3, 2.5))


def _values(found: dict[Any, Any], what: str) -> dict[str, Value]:
    values = {}
    for name, value in found.items():
        _must_be_name(name, what)
        values[name] = _value(name, value, what)
    return values


def _value(name: str, value: Any, what: str) -> Value:
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            return value.astype(float)
        if value.dtype.kind in "biu":
            return value
    elif isinstance(value, np.generic):
        return _value(name, value.item(), what)
    elif isinstance(value, bool | int | float | str):
        return value
    kind = f"array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
    raise CheckerError(
        f"{what} gives `{name}` as {kind}; give an array of real numbers, a number or a text"
    )


def _must_be_name(name: Any, what: str) -> None:
    if not isinstance(name, str) or not name.isidentifier():
        raise CheckerError(f"{what} returns {name!r}, which is no name that an answer could use")
