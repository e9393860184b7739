"""Further problems, on which an answer that was right so far is confirmed by a random contraction.

The truth of one costs a few runs of the forward for each variable, however many entries it has.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

import numpy as np
from msgspec.structs import replace

from quizzer.checker.borders import beside_borders
from quizzer.checker.branches import branches, generator
from quizzer.checker.derivative import Array, Uncertified
from quizzer.checker.instance import (
    Contraction,
    Instance,
    Truth,
    Value,
    draw_inputs,
    shape,
    work_out,
)
from quizzer.checker.jacobians import derivative_shape, flat_forward, symmetrised, weights
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.meaning import Kind, Meaning
from quizzer.checker.opening import opened
from quizzer.checker.posed import Confirming, Further
from quizzer.checker.requests import Confirm
from quizzer.checker.sheet import Sheet
from quizzer.checker.slope import slopes_along
from quizzer.checker.truth import Nearby, closed_forms
from quizzer.checker.validation import sheet_of

_TRIES = 2  # draws for each problem that is wanted
_PLAIN, _BESIDE = 7, 2  # of the many problems, between two unusual ones
_DRAWS_FOR_ALIKE = 8
_FIRST_DRAW = 1 << 20  # those below are what every scouting looks at


def confirm(request: Confirm) -> Confirming:
    """Problems for an answer that has pieces of its own. Raises CheckerError."""
    end = time.process_time() + request.seconds
    checker = opened(request.source)
    return Confirming(many_problems(checker, request.asked, request.seed, request.count, end))


def many_problems(
    checker: Checker, asked: Iterable[str], seed: int, count: int, end: float
) -> tuple[Further, ...]:
    """So many problems of each asked name, or as many as there is processor time for. Their inputs
    are the same whatever else is asked."""
    rng = generator(seed)
    across = np.random.default_rng([abs(seed), 1])  # a direction must not be that of an input
    left = dict.fromkeys(asked, count)
    sheet: Sheet | None = None
    found: list[Further] = []
    for inputs in islice(_many_inputs(checker, rng, end), _TRIES * count):
        wanted = [name for name in left if left[name]]
        if not wanted or time.process_time() > end:
            break
        try:
            instance = work_out(checker, inputs, rng)
            sheet = sheet or sheet_of(checker, instance)
            problem = Further(*_contracted(checker, sheet, instance, wanted, across, partly=True))
        except Uncertified:
            continue
        for name in problem.contractions:
            left[name] -= 1
        if problem.contractions:
            found.append(problem)
    return tuple(found)


def _many_inputs(
    checker: Checker, rng: "np.random.Generator", end: float
) -> Iterator[dict[str, Value]]:
    """Samples without end, with unusual ones and such beside borders among them."""
    beside = beside_borders(checker, rng, end) if checker.forward is not None else iter(())
    while True:
        for _ in range(_PLAIN):
            yield draw_inputs(checker, rng)
        yield _unusual(checker, rng)
        yield from islice(beside, _BESIDE)


def _unusual(checker: Checker, rng: "np.random.Generator") -> dict[str, Value]:
    """A sample in which lengths that differ elsewhere may be equal, or inputs are far from zero."""
    if checker.unusual is not None:
        with suppress(CheckerError):  # a `need` may be met by none
            return draw_inputs(replace(checker, sample=checker.unusual), rng)
    drawn = [draw_inputs(checker, rng) for _ in range(_DRAWS_FOR_ALIKE)]
    return min(
        drawn, key=lambda inputs: len({n for value in inputs.values() for n in shape(value)})
    )


def further_problems(checker: Checker, sheet: Sheet, seed: int, count: int) -> Iterator[Further]:
    """Up to so many problems from draws that are the seed's own, with the branches they reach."""
    found = 0
    first = _FIRST_DRAW + _TRIES * count * abs(seed)
    for draw in range(first, first + _TRIES * count):
        if found == count:
            return
        with suppress(Uncertified):
            yield further_problem(checker, sheet, draw)
            found += 1


def further_problem(checker: Checker, sheet: Sheet, draw: int) -> Further:
    """The problem of one draw, with the branches it reaches. Raises Uncertified."""
    rng = generator(draw)
    instance = work_out(checker, draw_inputs(checker, rng), rng)
    contracted = _contracted(checker, sheet, instance, sheet.asked, rng)
    return Further(*contracted, draw, tuple(sorted(branches(checker, instance.inputs))))


def _contracted(
    checker: Checker,
    sheet: Sheet,
    instance: Instance,
    asked: Iterable[str],
    rng: "np.random.Generator",
    partly: bool = False,
) -> tuple[Instance, dict[str, Contraction]]:
    """The instance with its closed forms, and the contractions that are asked for; `partly`, those
    of them that can be certified. Raises Uncertified."""
    closed = closed_forms(checker, instance)
    meanings = {name: sheet.meaning(name) for name in asked}
    nearby = Nearby(checker, instance)
    truths = {
        name: nearby.exact(name, closed[name])
        for name in sheet.asked
        if sheet.meaning(name).kind is Kind.REFERENCE
    }
    contractions = {}
    for name, meaning in meanings.items():
        if meaning.kind is Kind.FORWARD:
            value = instance.value(name)
            contractions[name] = _value_of(nearby.exact(name, value), rng)
        elif meaning.kind is Kind.REFERENCE:
            contractions[name] = _value_of(truths[name], rng)
    for variable in instance.variables:
        mine = {name: meaning for name, meaning in meanings.items() if meaning.variable == variable}
        if not mine:
            continue
        try:
            contractions |= _slopes(checker, sheet, instance, variable, mine, rng)
        except Uncertified:
            if not partly:
                raise
    return replace(instance, truths=truths), contractions


def _value_of(truth: Truth, rng: "np.random.Generator") -> Contraction:
    direction = rng.standard_normal(truth.value.shape)
    error = float((np.abs(direction) * truth.error).sum())
    return Contraction(direction, float((truth.value * direction).sum()), error)


def _slopes(
    checker: Checker,
    sheet: Sheet,
    instance: Instance,
    variable: str,
    meanings: dict[str, Meaning],
    rng: "np.random.Generator",
) -> dict[str, Contraction]:
    """The contractions of derivatives: of the forward along one line through the variable."""
    assert checker.forward is not None
    x = np.asarray(instance.inputs[variable], float)
    along = rng.standard_normal(x.shape)
    if variable in sheet.symmetric:
        along = symmetrised(along)
    formulas = checker.is_formulas
    flat = flat_forward(checker.forward, instance.inputs, variable, safe=formulas)
    rows = {name: weights(meaning, instance) for name, meaning in meanings.items()}
    across = {
        name: rng.standard_normal(len(rows[name])) if meaning.kind is Kind.LOCAL else np.ones(1)
        for name, meaning in meanings.items()
    }
    here = np.concatenate([output.reshape(-1) for output in instance.outputs.values()])
    weightings = [across[name] @ rows[name] for name in meanings]
    slopes = slopes_along(flat, x, here, along, weightings, is_real=formulas)
    contractions = {}
    for (name, meaning), (value, error) in zip(meanings.items(), slopes.found, strict=True):
        shape = derivative_shape(meaning, instance)
        direction: Array = np.multiply.outer(across[name], slopes.direction).reshape(shape)
        contractions[name] = Contraction(direction, value, error)
    return contractions
