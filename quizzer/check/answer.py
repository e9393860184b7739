"""The answer side: typed texts worked out on the instances' names, never beside a card's code.

Runs only inside a sandboxed process: NumPy notation is executed.
"""

import random
from dataclasses import dataclass

import numpy as np

from quizzer.check.derivative import Array
from quizzer.check.instance import Value, copied, shape
from quizzer.notation import Context, Invalid, Reading, read

MAX_SHOWN = 2_000


@dataclass(frozen=True, slots=True)
class Given:
    """What an answer may use on one instance, and the shape of what is asked there."""

    names: dict[str, Value]
    shape: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Work:
    """The request: texts that answer `asked`, to be worked out on every instance.

    On `tied` instances an answer may fail without being invalid.
    """

    asked: str
    texts: tuple[str, ...]
    instances: tuple[Given, ...]
    tied: tuple[Given, ...] = ()
    upstreams: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """The card's other asked names."""
    symbols: dict[str, str] | None = None
    first_index: int = 0
    notation: str | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """One text's arrays, one an instance; or why there are none, for the learner, and where."""

    values: tuple[Array, ...] = ()
    tied: tuple[Array | None, ...] = ()
    notation: str | None = None
    invalid: str | None = None
    line: int | None = None
    column: int | None = None
    understood: str | None = None


@dataclass(frozen=True, slots=True)
class WorkedTexts:
    """What became of each text."""

    texts: tuple[Worked, ...]


def work(request: Work) -> WorkedTexts:
    """Work out every text on every instance, each with arrays of its own."""
    context = _context(request)
    return WorkedTexts(tuple(_worked(text, request, context) for text in request.texts))


def _context(request: Work) -> Context:
    first = request.instances[0]
    return Context(
        shapes={name: shape(v) for name, v in first.names.items() if not isinstance(v, str)},
        asked=request.asked,
        asked_shape=first.shape,
        symbols=request.symbols or {},
        upstreams=request.upstreams,
        numbers=frozenset(n for n, v in first.names.items() if not isinstance(v, np.ndarray)),
        others=request.others,
        first_index=request.first_index,
    )


def _worked(text: str, request: Work, context: Context) -> Worked:
    random.seed(0)
    np.random.seed(0)
    reading = read(text, context, request.notation)
    if isinstance(reading, Invalid):
        return _invalid(reading, request.notation)
    understood = reading.shown()[:MAX_SHOWN]
    values = []
    for given in request.instances:
        value = _value(reading, given)
        if isinstance(value, Invalid):
            return _invalid(value, reading.notation, understood)
        values.append(value)
    tied = [_value(reading, given) for given in request.tied]
    return Worked(
        values=tuple(values),
        tied=tuple(None if isinstance(value, Invalid) else value for value in tied),
        notation=reading.notation,
        understood=understood,
    )


def _value(reading: Reading, given: Given) -> Array | Invalid:
    value = reading.evaluate(copied(given.names), given.shape)
    return value if isinstance(value, Invalid) else np.asarray(value, float)


def _invalid(why: Invalid, notation: str | None, understood: str | None = None) -> Worked:
    return Worked(
        notation=notation,
        invalid=why.message,
        line=why.line,
        column=why.column,
        understood=understood,
    )
