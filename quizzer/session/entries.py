"""The entries of a wrong array as every face writes them: no digit more than tells them apart."""

from collections.abc import Iterable

from quizzer.judge.judgement import View

_PRECISIONS = (3, 6, 9)


def precision(view: View) -> int:
    """The fewest significant digits at which no entry looks like the other one it differs from."""
    for digits in _PRECISIONS:
        if all(
            shown(got, digits) != shown(expected, digits)
            for got, expected, differs in _entries(view)
            if differs
        ):
            return digits
    return _PRECISIONS[-1]


def shown(number: float, digits: int) -> str:
    """The number with so many significant digits."""
    return f"{number + 0.0:.{digits}g}"


def _entries(view: View) -> Iterable[tuple[float, float, bool]]:
    for rows in zip(view.got, view.expected, view.differs, strict=True):
        yield from zip(*rows, strict=True)
