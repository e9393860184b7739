"""A small view of a wrong array: what was got and what is expected, differing entries marked."""

import re

from quizzer.judge.judgement import View
from quizzer.session.entries import precision, shown

DIFFERING = r"[≠#] *\S+"
"""What a marked entry looks like, for faces that colour it besides."""

_GAP = "   "
_MOST_LISTED = 4
_INTEGER_PART = re.compile(r"-?\d+")


def drawn(view: View, width: int, *, ascii: bool = False) -> list[str]:
    """Two small tables, beside each other where so many columns allow it, else one below the
    other; the differing entries one by one where even one table is too wide."""
    mark = "#" if ascii else "≠"
    got, expected = _tables(view, mark)
    wide = len(got[0])
    column = max(wide, len("got"))
    if column + len(_GAP) + max(wide, len("expected")) <= width:
        pairs = zip(["got", *got], ["expected", *expected], strict=True)
        return [view.place, *(f"{a:<{column}}{_GAP}{b}".rstrip() for a, b in pairs)]
    if wide <= width:
        tables = ["got", *got, "expected", *expected]
        return [view.place, *(line.rstrip() for line in tables)]
    return listed(view)


def listed(view: View) -> list[str]:
    """The first differing entries, a line each."""
    digits = precision(view)
    places = [
        (row, column)
        for row, marks in enumerate(view.differs)
        for column, differs in enumerate(marks)
        if differs
    ]
    lines = [
        f"{view.entry(row, column)} is {shown(view.got[row][column], digits)}, "
        f"expected {shown(view.expected[row][column], digits)}"
        for row, column in places[:_MOST_LISTED]
    ]
    left = len(places) - _MOST_LISTED
    return [*lines, f"and {left} more in {view.place}"] if left > 0 else lines


def _tables(view: View, mark: str) -> tuple[list[str], list[str]]:
    """The rows of both tables, their columns of one width and aligned on the decimal point."""
    digits = precision(view)
    count = len(view.got)
    columns = []
    for column, marks in enumerate(zip(*view.differs, strict=True)):
        numbers = [row[column] for row in (*view.got, *view.expected)]
        texts = _aligned([shown(number, digits) for number in numbers])
        signs = [mark if differs else " " for differs in (*marks, *marks)]
        columns.append([sign + text for sign, text in zip(signs, texts, strict=True)])
    rows = [" ".join(row) for row in zip(*columns, strict=True)]
    return rows[:count], rows[count:]


def _aligned(texts: list[str]) -> list[str]:
    """Numbers with their decimal points below each other, all equally wide."""
    cuts = [_integer_digits(text) for text in texts]
    before = max(cuts)
    lines = [" " * (before - cut) + text for cut, text in zip(cuts, texts, strict=True)]
    wide = max(map(len, lines))
    return [line.ljust(wide) for line in lines]


def _integer_digits(text: str) -> int:
    match = _INTEGER_PART.match(text)
    return match.end() if match else len(text)
