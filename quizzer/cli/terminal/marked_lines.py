"""The lines of a derivation with their marks at the right edge."""

import textwrap
from collections.abc import Iterator

from quizzer.session.marks import MarkedLine
from quizzer.tex.width import width

STYLES = {
    "right": "right",
    "right-again": "right",
    "wrong": "wrong",
    "follows": "wrong",
    "unread": "unread",
}
"""The colours of the marks, by the state of a line."""

INDENT = 2
_GAP = 1


def at_edge(text: str, line: MarkedLine, room: int, free: int = 0) -> str:
    """What comes between a text and the right edge of its last row, the mark included.

    So many columns at the edge stay free.
    """
    mark, used = width(line.edge), width(text) % room
    if width(text) and not used:
        used = room
    gap = room - free - used - mark
    if gap < _GAP:
        gap += room  # there is no room for it: the mark goes into a row of its own
    return " " * gap + line.edge


def below(said: str, room: int) -> Iterator[str]:
    """The rows of what is said below a line."""
    for row in textwrap.wrap(said, max(20, room - INDENT - 1), break_on_hyphens=False):
        yield " " * INDENT + row
