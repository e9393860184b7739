"""Inputs beside a border: where an operation of the forward is about to change its piece, or an
entry of an input or output its sign.

Random problems seldom come near a border, and so would not show that a piece of an answer ends a
little before it or behind it.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from quizzer.checker.branches import observed
from quizzer.checker.instance import Value, draw_inputs, is_variable, shape
from quizzer.checker.load import Checker, CheckerError

_TRIES_FOR_SIZES = 60
_HALVINGS = 17
_APART = ((1e-4, 1e-3), (1e-3, 1e-2))
"""How far from a border, as shares of the way from one sample to another."""

Inputs = dict[str, Value]
Sides = dict[tuple[str, ...], bytes]
"""On which side of its borders each operation, input and output is, entry by entry."""


def beside_borders(checker: Checker, rng: "np.random.Generator") -> Iterator[Inputs]:
    """Inputs a little before and a little behind borders, without end; none where the forward
    raises or nothing can be moved."""
    while pair := _pair(checker, rng):
        here, there = pair
        found = []
        with suppress(CheckerError):
            if border := _border(checker, here, there, rng):
                for apart in (np.exp(rng.uniform(*np.log(ends))) for ends in _APART):
                    found += [
                        _between(here, there, share) for share in (border - apart, border + apart)
                    ]
        for inputs in found:
            if checker.draws is None or checker.draws.allows(inputs):
                yield inputs


def _pair(checker: Checker, rng: "np.random.Generator") -> tuple[Inputs, Inputs] | None:
    """Two samples of the same sizes; None where there are none, or they cannot be mixed."""
    if checker.draws is not None:
        here, there = checker.draws.pair(rng)
    else:
        here = draw_inputs(checker, rng)
        for _ in range(_TRIES_FOR_SIZES):
            there = draw_inputs(checker, rng)
            if all(name in there and shape(there[name]) == shape(here[name]) for name in here):
                break
        else:
            return None
    return (here, there) if any(_can_be_mixed(here[name], there[name]) for name in here) else None


def _border(
    checker: Checker, here: Inputs, there: Inputs, rng: "np.random.Generator"
) -> float | None:
    """How far along the way from one sample to another something changes its side."""
    first, last = _sides(checker, here), _sides(checker, _between(here, there, 1.0))
    changed = [what for what in first if last.get(what) != first[what]]
    in_code = [what for what in changed if len(what) > 1]
    if not changed:
        return None
    wanted = in_code if in_code and rng.random() < 0.5 else changed
    what = wanted[int(rng.integers(len(wanted)))]
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _sides(checker, _between(here, there, middle)).get(what) == first[what]:
            low = middle
        else:
            high = middle
    return high


def _between(here: Inputs, there: Inputs, share: float) -> Inputs:
    return {
        name: np.asarray((1 - share) * np.asarray(value) + share * np.asarray(there[name]))
        if _can_be_mixed(value, there[name])
        else value
        for name, value in here.items()
    }


def _can_be_mixed(here: Value, there: Value) -> bool:
    """Whether what lies between two values of an input may be one: no label, nothing of a fixed
    length. Fixed sums, symmetry and the like stay as they are."""
    if not (is_variable(here) and is_variable(there)):
        return False
    a, b = np.asarray(here, float), np.asarray(there, float)
    if np.array_equal(a, np.round(a)) or np.array_equal(a, b):
        return False
    return not any(np.allclose(np.sum(a * a, axis), 1.0) for axis in range(a.ndim))


def _sides(checker: Checker, inputs: Mapping[str, Any]) -> Sides:
    outputs, trace = observed(checker, inputs)
    moving = {name: value for name, value in inputs.items() if is_variable(value)}
    found: Sides = {
        (name,): np.sign(np.asarray(value, float)).tobytes()
        for name, value in (moving | outputs).items()
    }
    for operation, runs in trace.seen.items():
        what = (operation.what, str(operation.line), *operation.path)
        found[what] = b"".join(run.sides for run in runs)
    return found
