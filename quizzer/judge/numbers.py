"""Numbers for the instance that a question shows: the instance drawn, and answers to it judged.

A formula is judged as everywhere, on many problems. A number is right for the shown one only.
"""

import re
import string

import numpy as np
from msgspec.structs import replace

from quizzer.checker.answer import Evaluated
from quizzer.checker.derivative import Array
from quizzer.checker.instance import Value
from quizzer.checker.numbers import STRICT, is_within
from quizzer.judge.acceptance import without_ones
from quizzer.judge.case import Case
from quizzer.judge.judgement import RIGHT, Answered, Diagnosis, Given
from quizzer.judge.prepared import Prepared
from quizzer.values import Verdict

_LETTER = re.compile(r"\(?([A-Za-z])\)?")
_FACTORS = (2.0, 0.5, 3.0, 4.0, 0.25, 10.0, 0.1, 100.0, 0.01)
_NEARLY = 10.0
"""How many tolerances off a number is told to be rounded too soon."""


def is_number(case: Case, evaluated: Evaluated) -> bool:
    """Whether an answer is the same on every problem, so that only the shown one can be meant."""
    if not case.posed.shown:
        return False
    first, *others = evaluated.values
    further = [value for value in evaluated.further if value is not None]
    return all(np.array_equal(first, value) for value in (*others, *further))


def judged_number(
    prepared: Prepared, case: Case, evaluated: Evaluated, answered: Answered
) -> Answered:
    """The verdict on a number, or an array of numbers, for the shown instance."""
    stated = case.sheet.units.get(case.asked)
    if stated and case.unit is None:
        message = f"Write the unit too, {stated}, behind the number."
        return replace(answered, verdict=Verdict.INVALID, message=message)
    if case.unit and case.unit.factor is None:
        return _wrong(answered, f"The unit is {case.unit.stated}, not {case.unit.text}.")
    truth = case.truths[-1].value
    value = evaluated.values[-1] * (case.unit.factor or 1.0 if case.unit else 1.0)
    answered = replace(answered, shape=value.shape, expected_shape=truth.shape)
    if without_ones(value.shape) != without_ones(truth.shape):
        return _wrong(answered, f"{_shape(truth)} is asked for, this is {_shape(value).lower()}.")
    value = value.reshape(truth.shape)
    tolerance = case.sheet.within.get(case.asked, STRICT)
    if is_within(value, truth, tolerance):
        return replace(answered, verdict=Verdict.CORRECT, message=RIGHT)
    return _explained(prepared, case, value, answered)


def _explained(prepared: Prepared, case: Case, value: Array, answered: Answered) -> Answered:
    """What is wrong with a number. What is right is not shown: it could be copied."""
    truth = case.truths[-1].value
    tolerance = case.sheet.within.get(case.asked, STRICT)
    evidence = prepared.evidence(case.asked)
    for code, claims in (("known-mistake", evidence.wrong), ("variant", evidence.variants)):
        for claim in claims:
            if is_within(value, claim.values[-1], tolerance):
                return _wrong(answered, claim.sentence, code)
    if is_within(-value, truth, tolerance):
        return _wrong(answered, "The sign is the other way round.", "sign")
    for factor in _FACTORS:
        if is_within(value / factor, truth, tolerance):
            return _wrong(answered, f"It is off by a factor {factor:g}.", "factor")
    wide = replace(tolerance, size=_NEARLY * tolerance.size)
    if tolerance is not STRICT and is_within(value, truth, wide):
        near = f"Nearly: it must be within {tolerance.shown()}. Was something rounded too soon?"
        return _wrong(answered, near)
    return _wrong(answered, "This is another value for the numbers shown.")


def _wrong(answered: Answered, message: str, code: str = "unexplained") -> Answered:
    diagnosis = Diagnosis(code, message)
    return replace(answered, verdict=Verdict.WRONG, message=message, diagnosis=diagnosis)


def _shape(array: Array) -> str:
    if not array.ndim:
        return "A number"
    return f"An array of shape ({', '.join(map(str, array.shape))}{',' if array.ndim == 1 else ''})"


def chosen(prepared: Prepared, case: Case, text: str) -> Answered | None:
    """The verdict on a letter, by the value that it stands for; None if the text is no letter."""
    found = _LETTER.fullmatch(text.strip())
    if found is None:
        return None
    answered = Answered(case.asked, Verdict.INVALID, RIGHT)
    values = values_to_choose(prepared, case.asked)
    place = string.ascii_uppercase.index(found[1].upper())
    if place >= len(values):
        last = string.ascii_uppercase[len(values) - 1]
        return replace(answered, message=f"Choose a letter from A to {last}.")
    truth = case.truths[-1].value
    tolerance = case.sheet.within.get(case.asked, STRICT)
    if is_within(values[place], truth, tolerance):
        return replace(answered, verdict=Verdict.CORRECT)
    return _explained(prepared, case, values[place], answered)


def values_to_choose(prepared: Prepared, asked: str) -> list[Array]:
    """The right value for the shown instance and those of the known mistakes, the least first.

    Of values that look alike one is left.
    """
    truth = prepared.case(asked).truths[-1].value
    mistakes = (np.asarray(claim.values[-1]) for claim in prepared.evidence(asked).wrong)
    alike = {written(truth): truth}
    for value in mistakes:
        if value.shape == truth.shape and np.isfinite(value).all():
            alike.setdefault(written(value), value)
    every = sorted(alike.values(), key=lambda value: value.ravel().tolist())
    return every[: len(string.ascii_uppercase)]


def given_by(prepared: Prepared) -> tuple[tuple[Given, ...], tuple[Given, ...]]:
    """What the question shows, with the values to choose from, and the values asked for."""
    posed = prepared.posed()
    sheet, instance = posed.sheet, posed.instances[-1]
    names = instance.names
    shown = tuple(
        Given(sheet.symbols.get(name, name), written(names[name])) for name in sheet.shown
    )
    units = sheet.units
    shown += tuple(
        Given(sheet.symbols.get(name, name), _lettered(prepared, name, units.get(name)))
        for name in sheet.choices
    )
    asked = tuple(
        Given(sheet.symbols.get(name, name), _with_unit(written(truth.value), units.get(name)))
        for name, truth in instance.truths.items()
    )
    return shown, asked


def _lettered(prepared: Prepared, asked: str, unit: str | None) -> tuple[str, ...]:
    """The values to choose from, each behind its letter."""
    lines = list[str]()
    for letter, value in zip(
        string.ascii_uppercase, values_to_choose(prepared, asked), strict=False
    ):
        first, *others = _with_unit(written(value), unit)
        lines += [f"{letter}) {first}", *(f"   {other}" for other in others)]
    return tuple(lines)


def written(value: Value) -> tuple[str, ...]:
    """A value on lines: a number, a vector, a matrix row by row; of more axes, each matrix."""
    array = np.asarray(value)
    if array.ndim == 0:
        return (_short(array.item()),)
    if array.ndim == 1:
        return (f"({', '.join(_short(each) for each in array.tolist())})",)
    if array.ndim > 2:
        return tuple(
            f"[{place}] {line}" for place, part in enumerate(array) for line in written(part)
        )
    cells = [[_short(each) for each in row] for row in array.tolist()]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    rows = ("  ".join(f"{c:>{w}}" for c, w in zip(row, widths, strict=True)) for row in cells)
    return tuple(f"( {row} )" for row in rows)


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def _with_unit(lines: tuple[str, ...], unit: str | None) -> tuple[str, ...]:
    return (*lines[:-1], f"{lines[-1]} {unit}") if unit else lines
