"""The readings of a text that has several: which of them differ, and which one is meant."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quizzer.notation.functions import Array
from quizzer.notation.reading import Reading, same
from quizzer.notation.values import Invalid, ReadAs
from quizzer.text import clean

MAX_SHOWN = 2_000
"""Characters of a reading that are shown."""

Problem = tuple[Mapping[str, Any], tuple[int, ...] | None]
"""The values of the names, and the shape that is asked."""


def read_as(reading: Reading) -> ReadAs:
    """The reading for people, without what could harm a terminal."""
    return ReadAs(clean(reading.shown()[:MAX_SHOWN]), _shown(reading.latex()))


def drawn_as(reading: Reading) -> str | None:
    """The reading to be drawn, that of NumPy too where it is written so on paper."""
    return _shown(reading.formula())


def meant(reading: Reading, shown: str) -> Reading:
    """The one reading of the text that is shown so; all of them if none is."""
    for each in (reading, *reading.others):
        if read_as(each).text == shown:
            return _alone(each)
    return reading


def apart(reading: Reading, problems: Sequence[Problem]) -> tuple[Reading, ...]:
    """The readings of the text that differ from each other in value, the first of each kind.

    Two of them count as one if they agree wherever both have a value.
    """
    found: list[tuple[Reading, list[Array | Invalid]]] = []
    for each in (reading, *reading.others):
        alone = _alone(each)
        values = [alone.evaluate(names, shape) for names, shape in problems]
        if all(_differ(values, others) for _, others in found):
            found.append((alone, values))
    return tuple(each for each, _ in found)


def _shown(latex: str | None) -> str | None:
    return clean(latex) if latex is not None and len(latex) <= MAX_SHOWN else None


def _alone(reading: Reading) -> Reading:
    return replace(reading, others=(), doubt=None)


def _differ(a: Iterable[Array | Invalid], b: Iterable[Array | Invalid]) -> bool:
    return any(
        not (isinstance(one, Invalid) or isinstance(other, Invalid) or same(one, other))
        for one, other in zip(a, b, strict=True)
    )
