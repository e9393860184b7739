"""The right answers on one instance: derivatives, outputs and the author's closed forms.

A closed form is held against the numerical derivative wherever there is one.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.checker.derivative import Array, Slopes, Uncertified, certified
from quizzer.checker.instance import (
    Instance,
    Truth,
    Value,
    copied,
    exact,
    is_variable,
    shape,
    work_out,
)
from quizzer.checker.jacobians import (
    convention_factor,
    derivative_shape,
    flat_forward,
    symmetrised,
    weights,
)
from quizzer.checker.load import Checker, CheckerError, call
from quizzer.checker.meaning import Kind, Meaning
from quizzer.checker.sheet import Sheet

REFERENCE_TOLERANCE = 1e-6
_TINY = 1e-6  # below it a value may be nothing but rounding, and is looked at more closely
_MOST_ROUNDING = 1e-11
_NEARBY = 8


class Worked(Struct):
    """What was worked out already, for what needs the same again."""

    draws: dict[int, Instance | None] = field(default_factory=dict)
    """The certified instance of each draw that was tried; None where it has none."""
    _slopes: dict[tuple[int, str], tuple[Instance, Slopes]] = field(default_factory=dict)

    def keep(self, instance: Instance, variable: str, slopes: Slopes) -> None:
        self._slopes[id(instance.inputs), variable] = instance, slopes

    def slopes(self, instance: Instance, variable: str) -> Slopes | None:
        """Of the forward toward a variable; the same inputs are the same object."""
        _, slopes = self._slopes.get((id(instance.inputs), variable), (None, None))
        return slopes


def truths_of(
    checker: Checker, sheet: Sheet, instance: Instance, worked: Worked | None = None
) -> dict[str, Truth]:
    """The truth of every asked name on an instance; `worked` keeps what it is made of.

    Raises Uncertified where a derivative cannot be trusted there, CheckerError where the checker
    contradicts itself.
    """
    closed = closed_forms(checker, instance)
    asked = dict.fromkeys([*sheet.asked, *closed])
    meanings = {name: sheet.meaning(name) for name in asked}
    truths = _derivatives(checker, sheet, instance, meanings, worked)
    nearby = Nearby(checker, instance)
    for name, meaning in meanings.items():
        if meaning.kind is Kind.FORWARD:
            truths[name] = nearby.exact(name, instance.value(name))
        elif meaning.kind is Kind.REFERENCE:
            if name not in closed:
                raise CheckerError(
                    f"`{name}` is asked, but it is neither an output nor d<input> nor "
                    "d<output>_d<input>, and reference does not return it"
                )
            truths[name] = nearby.exact(name, closed[name])
        if name in closed:
            _must_agree(name, closed[name], truths[name], meaning.variable in sheet.symmetric)
    return {name: truths[name] for name in sheet.asked}


class Nearby(Struct, frozen=True):
    """Where an instance's values are tiny: how far they move with the last digits of its inputs.

    A product of many densities hardly moves; of a difference that is zero nothing stays as it was.
    """

    checker: Checker
    instance: Instance
    _found: list[dict[str, Array]] = field(default_factory=list)

    def exact(self, name: str, value: Array) -> Truth:
        """The truth of an output or a closed form, and what rounding may leave of it."""
        largest = float(np.max(np.abs(value), initial=0.0))
        if largest == 0.0 or largest > _TINY:
            return exact(value)
        if not self._found:
            self._found.extend(self._values())
        moves = [np.abs(v[name] - value) for v in self._found if v[name].shape == value.shape]
        moved = max((float(move.max()) for move in moves), default=0.0)
        return Truth(value, np.full_like(value, min(30 * moved, _MOST_ROUNDING)))

    def _values(self) -> Iterator[dict[str, Array]]:
        rng = np.random.default_rng(0)
        for _ in range(_NEARBY):
            inputs = {
                name: np.asarray(value, float) * (1 + 1e-14 * rng.standard_normal(shape(value)))
                if is_variable(value)
                else value
                for name, value in self.instance.inputs.items()
            }
            with suppress(CheckerError, Uncertified):
                there = work_out(self.checker, inputs)
                there = replace(there, upstreams=self.instance.upstreams)
                values = {name: there.value(name) for name in _floats(there.intermediates)}
                yield values | there.outputs | closed_forms(self.checker, there)


def _floats(values: Mapping[str, Value]) -> list[str]:
    return [name for name, value in values.items() if not isinstance(value, str)]


def closed_forms(checker: Checker, instance: Instance) -> dict[str, Array]:
    """What `reference` returns on an instance, by name; empty without one."""
    if checker.reference is None:
        return {}
    found = call(checker.reference, "reference", copied(instance.names))
    if not isinstance(found, dict):
        raise CheckerError("reference must return a dict of named closed forms")
    closed = {}
    for name, value in found.items():
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            raise CheckerError(f"reference gives `{name}` as {array.dtype}, not as real numbers")
        if name in instance.inputs:
            raise CheckerError(f"reference returns `{name}`, which is an input")
        closed[name] = array.astype(float)
        if not np.isfinite(closed[name]).all():
            raise Uncertified(f"reference gives NaN or infinity in `{name}`")
    return closed


def _derivatives(
    checker: Checker,
    sheet: Sheet,
    instance: Instance,
    meanings: dict[str, Meaning],
    worked: Worked | None,
) -> dict[str, Truth]:
    """Of a symmetric input only the symmetric part: a forward may read one of its triangles."""
    truths = {}
    for variable in instance.variables:
        mine = {name: meaning for name, meaning in meanings.items() if meaning.variable == variable}
        if not mine or checker.forward is None:
            continue
        x = np.asarray(instance.inputs[variable], float)
        flat = flat_forward(checker.forward, instance.inputs, variable, safe=checker.is_formulas)
        keep = partial(worked.keep, instance, variable) if worked else None
        rows = [weights(meaning, instance) for meaning in mine.values()]
        try:
            found = certified(flat, x, rows, keep)
        except Uncertified as error:
            raise Uncertified(f"for `{variable}` {error}") from None
        for (name, meaning), (value, errors) in zip(mine.items(), found, strict=True):
            shaped = value.reshape(derivative_shape(meaning, instance))
            errors = errors.reshape(shaped.shape)
            if variable in sheet.symmetric:
                shaped, errors = symmetrised(shaped), symmetrised(errors)
            factor = convention_factor(meaning, instance)
            other = None if factor is None else np.asarray(shaped * factor)
            truths[name] = Truth(shaped, errors, other)
    return truths


def _must_agree(name: str, closed: Array, truth: Truth, symmetric: bool) -> None:
    """Hold the author's closed form against the numerical derivative, in either convention."""
    if closed.shape != truth.value.shape:
        raise CheckerError(
            f"reference gives `{name}` the shape {closed.shape}; it must be {truth.value.shape}"
        )
    candidates = [truth.value] if truth.other is None else [truth.value, truth.other]
    for value in candidates:
        scale = np.max(np.abs(value), initial=0.0)
        difference = symmetrised(closed - value) if symmetric else closed - value
        if (np.abs(difference) <= REFERENCE_TOLERANCE * scale + 3 * truth.error).all():
            return
    where = np.unravel_index(int(np.argmax(np.abs(closed - truth.value))), closed.shape)
    raise CheckerError(
        f"reference disagrees with the derivative of forward in `{name}`: at "
        f"{[int(i) for i in where]} it gives {closed[where]:.6g}, "
        f"the derivative is {truth.value[where]:.6g}"
    )
