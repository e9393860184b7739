"""Rows and cells of LaTeX environments, and what a cell says."""

import re
from collections.abc import Iterator

from quizzer.notation.lexer.plain import Plain

_LENGTH = r"[-+]?[0-9.]+\s*(?:pt|ex|em|mm|cm|in|bp|pc|dd|cc|sp|mu|px)"
ROW_END = re.compile(rf"\\\\\*?(?:\s*\[\s*{_LENGTH}\s*\])?")


def trimmed(plain: Plain) -> Plain:
    """Without the spaces around it and the comma or full stop at its end."""
    plain = plain.stripped()
    return plain[: len(plain.text.rstrip(" ,.;"))]


def all_of(condition: Plain) -> Plain:
    """The condition with `and` for the commas that stand outside of brackets."""
    depth = 0
    for place, sign in reversed(list(enumerate(condition.text))):
        depth += (sign in ")]}") - (sign in "([{")
        if sign == "," and depth == 0:
            condition = condition.replaced(place, place + 1, " and ")
    return condition


def cells_of(row: Plain) -> Iterator[Plain]:
    """What the `&` of a row separate."""
    while True:
        cut = row.text.find("&")
        if cut < 0:
            yield row.stripped()
            return
        yield row[:cut].stripped()
        row = row[cut + 1 :]


def rows_of(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where the rows begin and end that `\\\\` or `\\\\[2pt]` separates."""
    for mark in ROW_END.finditer(text, start, stop):
        yield start, mark.start()
        start = mark.end()
    yield start, stop
