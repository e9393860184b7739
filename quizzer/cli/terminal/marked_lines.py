"""The lines of a derivation with their marks at the right edge: printed, and in the field."""

import textwrap
from collections.abc import Iterator

from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

from quizzer.session.marks import Marked, MarkedLine
from quizzer.tex.width import width

STYLES = {
    "right": "right",
    "right-again": "right",
    "wrong": "wrong",
    "follows": "wrong",
    "unread": "unread",
}
"""The colours of the marks, by the state of a line."""

_INDENT = 2
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
    for row in textwrap.wrap(said, max(20, room - _INDENT - 1), break_on_hyphens=False):
        yield " " * _INDENT + row


class EdgeMarks(Processor):
    """Draws the marks into the field. A line that was changed has none any more."""

    def __init__(self, marked: Marked, prompt: str) -> None:
        self._marked = marked
        self._prompt = width(prompt)

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        document, number = transformation_input.document, transformation_input.lineno
        fragments = transformation_input.fragments
        line = self._line(document.lines, number)
        room = transformation_input.width - self._prompt
        if line is None or room < 2 * _INDENT + 20:
            return Transformation(fragments)
        said = list(below(self._marked.under(line), room))
        if not line.edge and not said:
            return Transformation(fragments)
        # The last column stays free: a row that is full makes prompt_toolkit draw one more.
        edge = at_edge(document.lines[number], line, room, free=1)
        more = [(f"class:mark.{line.state}", edge)]
        if said:
            more.append(
                ("class:mark.said", " " + "".join(f"{row:<{room}}" for row in said).rstrip())
            )
        return Transformation([*fragments, *more])

    def _line(self, lines: list[str], number: int) -> MarkedLine | None:
        """The line as it was sent, unless it has been changed: from the top, else from below."""
        sent = self._marked.lines
        for place in (number, number - len(lines) + len(sent)):
            if 0 <= place < len(sent) and sent[place].text == lines[number] and lines[number]:
                return sent[place]
        return None
