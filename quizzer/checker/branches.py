"""Branches of a checker's problems, and the draws that reach each of them.

A branch is one piece of one piecewise operation in a run of the forward, one value of a single
whole number, truth value or text among the inputs, or one sign of a float input or output. Of what
is 0-d every pair counts too. An array reaches a branch if one of its entries does. A draw is a
sample under a number of its own, so that a rare branch is found once and can be drawn again.
"""

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any

import numpy as np

from quizzer.checker.derivative import Uncertified
from quizzer.checker.instance import Value, draw_inputs, is_variable, raw_outputs
from quizzer.checker.load import Checker, CheckerError, call
from quizzer.checker.opening import opened
from quizzer.checker.requests import BRANCH_JOIN, MOST_DRAWS, Reached, Scout, Scouted
from quizzer.checker.tracing import ForwardTrace

_MOST_NUMBERS = 12
"""0-d operations and inputs of which pairs count."""
_SMALL = range(-2, 9)
"""Whole numbers that are cases of their own; of others it only matters that they are large."""


def generator(number: int, *, seeds_global: bool = True) -> "np.random.Generator":
    """The generator of a draw. It also seeds the global ones, which a checker in Python may use."""
    if seeds_global:
        random.seed(number)
        np.random.seed(number % 2**32)
    return np.random.default_rng(abs(number))


def scout(request: Scout) -> Scouted:
    """Which branches occur in cheap draws, how often, and in which. Raises CheckerError."""
    return scouted(opened(request.source), request)


def scouted(checker: Checker, request: Scout) -> Scouted:
    """The same of a checker that was opened."""
    counts: dict[str, int] = {}
    kept: dict[str, list[int]] = {}
    drawn, fault = 0, None
    end = time.process_time() + request.seconds
    for number in range(request.draws):
        if time.process_time() > end:
            break
        try:
            rng = generator(number, seeds_global=not checker.is_formulas)
            reached = branches(checker, draw_inputs(checker, rng))
        except (CheckerError, Uncertified) as error:
            fault = fault or f"at draw {number}: {error}"
            continue
        drawn += 1
        for branch in reached:
            counts[branch] = counts.get(branch, 0) + 1
            if counts[branch] <= MOST_DRAWS:
                kept.setdefault(branch, []).append(number)
    found = {branch: Reached(counts[branch], tuple(kept[branch])) for branch in sorted(kept)}
    return Scouted(drawn, found, fault)


def branches(checker: Checker, inputs: Mapping[str, Value]) -> frozenset[str]:
    """The branches of one problem; those within the forward only as far as it can be traced.

    Raises CheckerError where the forward raises.
    """
    outputs, trace = observed(checker, inputs)
    every: set[str] = set()
    numbers: list[str] = []
    for name, value in inputs.items():
        reached = _of_value(name, value)
        every.update(reached)
        if not np.ndim(value):
            numbers += reached
    for name, output in outputs.items():
        reached = _signs(name, output)
        every.update(reached)
        if not np.ndim(output):
            numbers += reached
    for operation, runs in trace.seen.items():
        pieces = sorted({operation.piece(name) for seen in runs for name in seen.pieces})
        every.update(pieces)
        if len(runs) == 1 and runs[0].is_number:
            numbers += pieces
    pairs = combinations(sorted(dict.fromkeys(numbers))[:_MOST_NUMBERS], 2)
    return frozenset(every | {BRANCH_JOIN.join(pair) for pair in pairs})


def observed(checker: Checker, inputs: Mapping[str, Value]) -> tuple[dict[str, Any], ForwardTrace]:
    """The outputs of a forward and what its run went through: nothing, if it cannot run on observed
    arrays. Raises CheckerError where it cannot run on others either.

    Without a forward the author's closed forms are observed, as far as inputs are enough for them.
    """
    trace = ForwardTrace()
    if checker.forward is None:
        with suppress(CheckerError):
            call(checker.reference, "reference", trace.watch(inputs))  # type: ignore[arg-type]
        return {}, trace
    try:
        return raw_outputs(checker.forward, trace.watch(inputs)), trace
    except CheckerError:
        return raw_outputs(checker.forward, inputs), ForwardTrace()


def covering(
    known: Mapping[str, tuple[int, ...]], seen: list[frozenset[str]], turn: int, wanted: int = 2
) -> Iterator[int]:
    """Draws that reach what instances have `seen` fewer than `wanted` times, the rarest first.

    `seen` may grow between two draws. `turn` chooses which of a branch's draws comes first.
    """
    tried: set[int] = set()
    for branch, draws in sorted(known.items(), key=lambda item: (len(item[1]), item[0])):
        start = turn % len(draws) if draws else 0
        for number in (*draws[start:], *draws[:start]):
            if sum(branch in reached for reached in seen) >= min(wanted, len(draws)):
                break
            if number not in tried:
                tried.add(number)
                yield number


def _of_value(name: str, value: Value) -> list[str]:
    if isinstance(value, np.ndarray) and value.ndim:
        return _signs(name, value) if is_variable(value) else []
    single = value.item() if isinstance(value, np.ndarray) else value
    if isinstance(single, float):
        return _signs(name, single)
    if isinstance(single, int) and not isinstance(single, bool) and single not in _SMALL:
        return [f"{name} is {'large' if single > 0 else 'negative'}"]
    return [f"{name} is {single}"]


def _signs(name: str, values: Any) -> list[str]:
    found = []
    array = np.asarray(values)
    if np.count_nonzero(array > 0):  # quicker than `any`
        found.append(f"{name} is positive")
    if np.count_nonzero(array < 0):
        found.append(f"{name} is negative")
    return found
