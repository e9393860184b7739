"""The answer side: a learner's texts evaluated on instances, in no process with a card's code.

Runs only inside a sandboxed process: NumPy notation is executed.
"""

import random
import time
from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from quizzer.checker.answer import (
    Evaluate,
    EvaluateCases,
    Evaluated,
    EvaluatedCases,
    EvaluatedTexts,
    Scope,
)
from quizzer.checker.derivative import Array
from quizzer.checker.instance import shape
from quizzer.checker.paper import is_formula, is_python, read_math
from quizzer.notation import Context, Invalid, Reading, read
from quizzer.notation.asides import set_aside
from quizzer.notation.readings import apart, meant, read_as
from quizzer.notation.values import ReadAs

_LONG = 5e-5
"""Seconds that one of many problems may take. Of those that take longer, the time is spent on right
answers only, by a request of its own."""
_TRIED = 8
"""Of the many problems, to see how long one takes: the first of a shape takes longer."""


def evaluate(request: Evaluate) -> EvaluatedTexts:
    """Evaluate every text on every instance; no text can change the arrays of another."""
    context = _context(request)
    return EvaluatedTexts(tuple(_evaluated(text, request, context) for text in request.texts))


def evaluate_cases(request: EvaluateCases) -> EvaluatedCases:
    """The same for several asked names, one after the other."""
    return EvaluatedCases(tuple(map(evaluate, request.cases)))


def _context(request: Evaluate) -> Context:
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
        sets=request.sets,
        samples=request.samples,
        values=request.sizes or {},
    )


def _evaluated(text: str, request: Evaluate, context: Context) -> Evaluated:
    random.seed(0)
    np.random.seed(0)
    reading = read(text, context, request.notation)
    if request.no_python is not None:
        reading = _without_python(text, context, reading, request)
    if isinstance(reading, Invalid):
        return _invalid(reading, request.notation)
    if request.together and not is_formula(reading):
        return Evaluated(invalid="This runs in a process of its own.", late=True)
    if request.meant is not None:
        reading = meant(reading, request.meant)
    understood = None if request.bare else read_as(reading)
    end = time.process_time() + request.patience
    values = [_value(reading, scope) for scope in request.instances]
    tied = [_value(reading, scope) for scope in request.tied]
    further = list(_in_time(reading, request.further, end))
    for value in (*values, *tied, *further):
        if isinstance(value, Invalid) and value.readings:
            return _in_doubt(reading, value, request, end)
    for value in (*values, *further):
        if isinstance(value, Invalid):
            return _invalid(value, reading.notation, understood)
    return Evaluated(
        values=tuple(values),  # type: ignore[arg-type]
        tied=tuple(None if isinstance(value, Invalid) else value for value in tied),
        further=tuple(further),  # type: ignore[arg-type]
        many=_on_many(reading, request.many, end),
        notation=reading.notation,
        understood=understood,
        set_aside=() if request.bare else set_aside(reading),
    )


def _without_python(
    text: str, context: Context, reading: Reading | Invalid, request: Evaluate
) -> Reading | Invalid:
    """What is read where no Python may run: `p - y` is Python, but on paper it means the same."""
    if isinstance(reading, Invalid) or not is_python(reading):
        return reading
    on_paper = read_math(text, context) if request.notation is None else None
    if isinstance(on_paper, Reading):
        return on_paper
    return Invalid(str(request.no_python), code="python")


def _in_doubt(reading: Reading, why: Invalid, request: Evaluate, end: float) -> Evaluated:
    """The text has readings that differ: which, on all problems that there is time for."""
    scopes = [*request.instances, *request.tied]
    scopes += request.further if time.process_time() < end else ()
    different = apart(reading, [(scope.names, scope.shape) for scope in scopes])
    found = _invalid(why, reading.notation, read_as(reading))
    return replace(found, readings=tuple(map(read_as, different)))


def _in_time(
    reading: Reading, instances: tuple[Scope, ...], end: float
) -> Iterator[Array | Invalid | None]:
    for scope in instances:
        yield _value(reading, scope) if time.process_time() < end else None


def _on_many(reading: Reading, scopes: tuple[Scope, ...], end: float) -> tuple[Array, ...]:
    """The values on many problems; none where they take long, or one of them has no value."""
    found: list[Array] = []
    quickest = _LONG
    for scope in scopes:
        begun = time.process_time()
        value = _value(reading, scope) if begun < end else None
        if not isinstance(value, np.ndarray):
            return ()
        found.append(value)
        quickest = min(quickest, time.process_time() - begun)
        if len(found) == _TRIED and quickest == _LONG:
            return ()
    return tuple(found)


def _value(reading: Reading, scope: Scope) -> Array | Invalid:
    value = reading.evaluate(scope.names, scope.shape)
    return value if isinstance(value, Invalid) else np.asarray(value, float)


def _invalid(why: Invalid, notation: str | None, understood: ReadAs | None = None) -> Evaluated:
    return Evaluated(
        notation=notation,
        invalid=why.message,
        line=why.line,
        column=why.column,
        code=why.code,
        understood=understood,
    )
