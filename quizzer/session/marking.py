"""From what was judged of a derivation to what faces show and say of it."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from quizzer.judge.judgement import Answered, Diagnosis
from quizzer.session.marks import UNREAD, WRONG, Marked, MarkedLine

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine

_WORST = (WRONG, "follows", UNREAD, "right-again", "right", "defines", "words")
"""Of the links of one line, the first of these is its state."""


_EDGES = {
    "right": "✓",
    "wrong": "✗",
    "right-again": "✓ again",
    "defines": "",
    "unread": "not read",
    "words": "",
}
AUTHORS = ("known-mistake", "variant")
_SHORT = 200
"""Characters: so few make neither a long text nor many lines."""


def marked(
    text: str, judged: "Sequence[JudgedLine]", answers: Iterable[Answered] = ()
) -> Marked | None:
    """The lines of a text with their marks; None where they were not judged.

    What the card's author says of an answer is said of its last line too.
    """
    if not judged:
        return None
    lines = tuple(
        _line(number, line, [each for each in judged if each.line == number])
        for number, line in enumerate(text.split("\n"), 1)
    )
    first = next((each for each in judged if each.mark == WRONG), None)
    if first is None:
        return Marked(lines)
    where = line_is_wrong(first.line, _right_above(judged, first.line))
    why, found = first_wrong(judged), first.diagnosis
    if (known := _known(judged, first, answers)) is not None:
        why, found = f"{where} {known.message}", known
    code = found.code if found else None
    return Marked(lines, first.line, first.left or None, code, where, why)


def _known(
    judged: "Sequence[JudgedLine]", first: "JudgedLine", answers: Iterable[Answered]
) -> Diagnosis | None:
    """The card's own sentence on the result, if that is the first wrong line."""
    if first is not [each for each in judged if each.asked == first.asked][-1]:
        return None
    return next(
        (
            each.diagnosis
            for each in answers
            if each.name == first.asked and each.diagnosis and each.diagnosis.code in AUTHORS
        ),
        None,
    )


def _line(number: int, text: str, links: "Sequence[JudgedLine]") -> MarkedLine:
    if not links:
        return MarkedLine(number, text)
    worst = min(links, key=lambda link: _WORST.index(link.mark))
    below = worst.message if worst.mark in (UNREAD, "defines") else ""
    return MarkedLine(number, text, worst.mark.value, _edge(worst), below)


def _right_above(judged: "Iterable[JudgedLine]", line: int) -> list[int]:
    return sorted({each.line for each in judged if each.mark == "right" and each.line < line})


def first_wrong(lines: "Sequence[JudgedLine]") -> str:
    """What is said of the first wrong line of a derivation, and of the lines below it."""
    first = next((each for each in lines if each.mark == "wrong"), None)
    if first is None:
        return ""
    after = [each.line for each in lines if each.mark == "right-again"]
    again = f" Line {after[0]} is right again." if after else ""
    return f"{first.message}{again}"


def line_is_wrong(line: int, right: Sequence[int]) -> str:
    """That a line is the first wrong one, and which lines above it are right."""
    those = f" Line {right[0]} is right." if len(right) == 1 else ""
    if len(right) > 1:
        those = f" Lines {', '.join(map(str, right[:-1]))} and {right[-1]} are right."
    return f"Line {line} is wrong.{those}"


def _edge(line: "JudgedLine") -> str:
    """The mark at the right edge of a line."""
    return f"follows from {line.follows}" if line.mark == "follows" else _EDGES[line.mark]


def too_long(text: str) -> str:
    """Why an answer is not sent: it is longer than any that is judged. Else nothing."""
    if len(text) < _SHORT:
        return ""
    from quizzer.judge.derivation import too_large

    fault = too_large(text)
    return f"This cannot be sent: {fault.message}." if fault else ""
