"""The readings of an answer as formulas, each behind the number of its key."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from quizzer import tex
from quizzer.notation.values import ReadAs
from quizzer.tex.width import width

_GAP = 2
_LABEL = _GAP + 1
"""Columns of a key's number with the indent before it."""


def side_by_side(readings: Sequence[ReadAs], columns: int, *, ascii: bool = False) -> Table:
    """All readings in one row if they fit, else one below the other."""
    room = columns - _LABEL - _GAP
    drawn = [_drawn(each, room, ascii) for each in readings]
    if len(set(drawn)) < len(drawn):  # what tells them apart is lost in the drawing
        drawn = [each.text for each in readings]
    needed = sum(_LABEL + _GAP + _width(each) + _GAP for each in drawn) - _GAP
    in_one_row = needed <= columns
    table = Table.grid(padding=(0, _GAP, 0 if in_one_row else 1, 0))
    for _ in range(len(drawn) if in_one_row else 1):
        table.add_column(vertical="middle", min_width=_LABEL)
        table.add_column(vertical="middle", no_wrap=in_one_row, overflow="fold")
    cells = [
        (Text(f"{'':{_GAP}}{number}", "key"), Text(each, "markdown.math"))
        for number, each in enumerate(drawn, 1)
    ]
    for row in [[cell for pair in cells for cell in pair]] if in_one_row else map(list, cells):
        table.add_row(*row)
    return table


def _drawn(reading: ReadAs, columns: int, ascii: bool) -> str:
    if reading.latex is None:
        return reading.text
    return tex.render(reading.latex, columns, ascii)


def _width(drawn: str) -> int:
    return max(map(width, drawn.split("\n")), default=0)
