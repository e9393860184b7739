"""The marks of a derivation's lines, in the field in which it is typed."""

from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

from quizzer.cli.terminal.marked_lines import INDENT, at_edge, below
from quizzer.session.marks import Marked, MarkedLine
from quizzer.tex.width import width


class EdgeMarks(Processor):
    """Draws the marks into the field. A line that was changed loses its mark."""

    def __init__(self, marked: Marked, prompt: str) -> None:
        self._marked = marked
        self._prompt = width(prompt)

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        document, number = transformation_input.document, transformation_input.lineno
        fragments = transformation_input.fragments
        line = self._line(document.lines, number)
        room = transformation_input.width - self._prompt
        if line is None or room < 2 * INDENT + 20:
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
