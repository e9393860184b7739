"""Factors between two answers: whether there is one number, and what it is the size of."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance, shape
from quizzer.checker.sheet import Sheet
from quizzer.judge.acceptance import Arrays, is_near


def factors_between(answers: Arrays, truths: Arrays) -> dict[int, float] | None:
    """The factor of each instance, where each answer is its truth times a number; else None.

    An instance whose truth is zero has none.
    """
    factors = {}
    for place, (answer, truth) in enumerate(zip(answers, truths, strict=True)):
        largest = float(np.max(np.abs(truth), initial=0.0))
        if not largest and is_near(answer, truth):
            continue
        if answer.shape != truth.shape or not largest:
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            unit = truth / largest  # the square of a huge number is no number
            factor = float(np.sum(answer / largest * unit) / np.sum(unit * unit))
            if not abs(factor) >= 1e-9 or not is_near(answer / largest, factor * unit):
                return None
        factors[place] = factor
    return factors


def are_all(factors: Sequence[float], wanted: float | Array) -> bool:
    """Whether the factors are the wanted ones up to rounding."""
    return bool(np.allclose(factors, wanted, rtol=1e-6, atol=0.0))


def shown(factor: float) -> str:
    """The factor as a small fraction where it is one."""
    fraction = Fraction(factor).limit_denominator(12)
    if fraction and abs(float(fraction) / factor - 1) < 1e-6:
        return str(fraction)
    return f"{factor:.4g}" if abs(factor - 1) > 1e-3 else f"{factor:.8g}"


def size_factor(
    factors: Sequence[float], instances: Sequence[Instance], sheet: Sheet
) -> str | None:
    """The size, or the power of it, that the factors follow from instance to instance."""
    powers = ((1.0, "{}"), (-1.0, "1/{}"), (0.5, "√{}"), (-0.5, "1/√{}"))
    for name, lengths in _lengths(instances, sheet):
        if len(set(lengths)) < 2:
            continue
        for power, form in powers:
            for number, sign in ((1.0, ""), (-1.0, "−"), (2.0, "2·"), (0.5, "½·")):
                if are_all(factors, number * np.asarray(lengths, float) ** power):
                    return sign + form.format(name)
    return None


def _lengths(instances: Sequence[Instance], sheet: Sheet) -> Iterator[tuple[str, list[int]]]:
    """Named sizes, then lengths of axes and numbers of entries, with their values."""
    for name in sheet.sizes:
        sizes = [sheet.sizes_of(instance)[name] for instance in instances]
        yield name, [int(size) for size in sizes]
    first = instances[0]
    arrays = [*first.inputs, *first.outputs]
    shapes = {
        name: [shape((instance.inputs | instance.outputs)[name]) for instance in instances]
        for name in arrays
    }
    for name, found in shapes.items():
        for axis in range(len(found[0])):
            where = f"(length of axis {axis + sheet.first_index} of {name})"
            yield where if len(found[0]) > 1 else f"(length of {name})", [s[axis] for s in found]
    for name, found in shapes.items():
        if len(found[0]) > 1:
            yield f"(number of entries of {name})", [int(np.prod(s)) for s in found]
