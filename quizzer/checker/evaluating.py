"""The answer side: a learner's texts evaluated on instances, in no process with a card's code.

Runs only inside a sandboxed process: NumPy notation is executed.
"""

import random
import time
from collections.abc import Iterator

import numpy as np

from quizzer.checker.answer import Evaluate, Evaluated, EvaluatedTexts, Scope
from quizzer.checker.derivative import Array
from quizzer.checker.instance import copied, shape
from quizzer.notation import Context, Invalid, Reading, read

MAX_SHOWN = 2_000


def evaluate(request: Evaluate) -> EvaluatedTexts:
    """Evaluate every text on every instance, each with its own copies of the arrays."""
    context = _context(request)
    return EvaluatedTexts(tuple(_evaluated(text, request, context) for text in request.texts))


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
        samples=request.samples,
        values=request.sizes or {},
    )


def _evaluated(text: str, request: Evaluate, context: Context) -> Evaluated:
    random.seed(0)
    np.random.seed(0)
    reading = read(text, context, request.notation)
    if isinstance(reading, Invalid):
        return _invalid(reading, request.notation)
    understood = reading.shown()[:MAX_SHOWN]
    end = time.process_time() + request.patience
    values = [_value(reading, scope) for scope in request.instances]
    tied = [_value(reading, scope) for scope in request.tied]
    further = list(_in_time(reading, request.further, end))
    for value in (*values, *further):
        if isinstance(value, Invalid):
            return _invalid(value, reading.notation, understood)
    return Evaluated(
        values=tuple(values),  # type: ignore[arg-type]
        tied=tuple(None if isinstance(value, Invalid) else value for value in tied),
        further=tuple(further),  # type: ignore[arg-type]
        notation=reading.notation,
        understood=understood,
    )


def _in_time(
    reading: Reading, instances: tuple[Scope, ...], end: float
) -> Iterator[Array | Invalid | None]:
    for scope in instances:
        yield _value(reading, scope) if time.process_time() < end else None


def _value(reading: Reading, scope: Scope) -> Array | Invalid:
    value = reading.evaluate(copied(scope.names), scope.shape)
    return value if isinstance(value, Invalid) else np.asarray(value, float)


def _invalid(why: Invalid, notation: str | None, understood: str | None = None) -> Evaluated:
    return Evaluated(
        notation=notation,
        invalid=why.message,
        code=why.code,
        line=why.line,
        column=why.column,
        understood=understood,
        readings=why.readings,
    )
