"""Inputs beside a border: where an operation of the forward is about to change its piece, or an
entry of an input or output its sign.

Random problems seldom come near a border, and so would not show that a piece of an answer ends a
little before it or behind it.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from msgspec import Struct

from quizzer.checker.branches import observed
from quizzer.checker.instance import Value, draw_inputs, is_variable, shape
from quizzer.checker.load import Checker, CheckerError

_TRIES_FOR_SIZES = 60
_MOST_IN_VAIN = 6
_HALVINGS = 17
_APART = ((1e-4, 1e-3), (1e-3, 1e-2))
"""How far from a border, as shares of the way from one sample to another."""

Inputs = dict[str, Value]
Sides = dict[tuple[str, ...], bytes]
"""On which side of its borders each operation, input and output is, entry by entry."""


class _Way(Struct, frozen=True):
    """From one sample to another of the same sizes; of the inputs, the mixed ones change."""

    here: Inputs
    there: Inputs
    mixed: tuple[str, ...]

    def at(self, share: float) -> Inputs:
        return self.here | {
            name: np.asarray((1 - share) * self.here[name] + share * self.there[name])  # type: ignore[operator]
            for name in self.mixed
        }


def beside_borders(checker: Checker, rng: "np.random.Generator", end: float) -> Iterator[Inputs]:
    """Inputs a little before and a little behind borders on the ways between samples.

    They end when a few ways in a row cross no border, when no two samples have the same sizes, or
    when this much processor time is spent.
    """
    in_vain = 0
    while in_vain < _MOST_IN_VAIN and (way := _way(checker, rng)):
        found = list(_beside_one(checker, way, rng, end))
        in_vain = 0 if found else in_vain + 1
        yield from found


def _beside_one(
    checker: Checker, way: _Way, rng: "np.random.Generator", end: float
) -> Iterator[Inputs]:
    """Inputs on both sides of one border, at each distance."""
    with suppress(CheckerError):
        border = _border(checker, way, rng, end)
        for ends in _APART if border else ():
            apart = np.exp(rng.uniform(*np.log(ends)))
            for inputs in (way.at(border - apart), way.at(border + apart)):
                if checker.draws is None or checker.draws.allows(inputs):
                    yield inputs


def _way(checker: Checker, rng: "np.random.Generator") -> _Way | None:
    pair = checker.draws.pair(rng) if checker.draws else _pair_by_chance(checker, rng)
    if pair is None:
        return None
    here, there = pair
    mixed = tuple(name for name in here if _can_be_mixed(here[name], there[name]))
    return _Way(here, there, mixed) if mixed else None


def _pair_by_chance(checker: Checker, rng: "np.random.Generator") -> tuple[Inputs, Inputs] | None:
    here = draw_inputs(checker, rng)
    for _ in range(_TRIES_FOR_SIZES):
        there = draw_inputs(checker, rng)
        if all(name in there and shape(there[name]) == shape(here[name]) for name in here):
            return here, there
    return None


def _border(checker: Checker, way: _Way, rng: "np.random.Generator", end: float) -> float | None:
    """How far along the way something changes its side; None if nothing does, or time is up."""
    first, last = _sides(checker, way.at(0.0)), _sides(checker, way.at(1.0))
    changed = [what for what in first if last.get(what) != first[what]]
    in_code = [what for what in changed if len(what) > 1]
    if not changed:
        return None
    wanted = in_code if in_code and rng.random() < 0.5 else changed
    what = wanted[int(rng.integers(len(wanted)))]
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        if time.process_time() > end:
            return None
        middle = (low + high) / 2
        if _sides(checker, way.at(middle)).get(what) == first[what]:
            low = middle
        else:
            high = middle
    return high


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
