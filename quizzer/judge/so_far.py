"""What is understood of an answer while it is typed: it is read, and never run.

Reading comes with NumPy, so it is imported with the first text.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from quizzer.judge.several_lines import may_be_derivation
from quizzer.judge.unfinished import goes_on, last_term
from quizzer.judge.units import without_unit
from quizzer.notation import Context, Invalid
from quizzer.notation.values import LATEX_BREAK

if TYPE_CHECKING:
    from quizzer.notation import Reading

MAX_LENGTH = 1_500
"""Characters up to which an answer is read while it is typed; longer ones, when they are sent."""

_WORD = re.compile(r"\w+")
_LAST = re.compile(r"\\?\w*(?:\{\w*\})?")
"""A word that may still grow, or become a left side."""
_CONTINUES = re.compile(r"\s*&?\s*(?:=|$)")
_OF_TERMS = ("shape", "indices", "ambiguous")


class Understood(Struct, frozen=True):
    """A text that can be read: in which notation, and its answer line as it was read."""

    notation: str
    shown: str
    others: tuple[str, ...] = ()
    """Its other readings: if they differ in value, it is asked which one is meant."""
    latex: str | None = None
    """What is shown, for a face that can draw it; None for Python that is no formula."""


class Stopped(Struct, frozen=True):
    """A text that cannot be read, or not yet: why, and where, both count from 1 in the text."""

    message: str
    line: int | None
    column: int | None
    complete: bool
    """False where more may still come: at the text's end, or in brackets that are open."""


SoFar = Understood | Stopped


def read_so_far(
    context: Context,
    text: str,
    unit: str = "",
    line: int | None = None,
    others: Sequence[Context] = (),
) -> SoFar | None:
    """What a judgement would read in this text; None where nothing is written, or too much.
    Behind a number there may be a unit. `line` is that of the cursor, from 1: in a derivation,
    nothing is said of another. `others` are of the names beside the open one, which a left side
    may give as well.

    A judgement may still find it invalid for what only computing shows: shapes and ranges that do
    not fit together, NaN, an error of Python's own.
    """
    from quizzer.notation import read

    stripped = text.strip()
    if not stripped or len(stripped) > MAX_LENGTH:
        return None
    if line is not None and may_be_derivation(stripped):
        return _at_line(context, text, line, others)
    number = without_unit(stripped, unit, context.shapes)[0] if unit else stripped
    reading = read(number, context)
    if isinstance(reading, Invalid):
        named = others if reading.code == "left-side" else ()
        found = (read_so_far(other, text) for other in named)
        understood = (each for each in found if isinstance(each, Understood))
        return next(understood, None) or _stopped(reading, text, stripped)
    shown, *rest = map(_answer_line, (reading, *reading.others))
    different = dict.fromkeys(other for other in rest if other != shown)
    return Understood(reading.notation, shown, tuple(different), _answer_latex(reading))


def _at_line(context: Context, text: str, line: int, others: Sequence[Context]) -> SoFar | None:
    """The statement up to the cursor's line. What other lines define is not known here, so that
    it is said only how it was read, or that it is not finished."""
    lines = text.split("\n")[:line]
    starts = [n for n, each in enumerate(lines) if not _CONTINUES.match(each)]
    statement = "\n".join(lines[starts[-1] if starts else 0 :])
    found = read_so_far(context, statement, others=others)
    if isinstance(found, Stopped):
        return None if found.complete else replace(found, line=None, column=None)
    return found


def _answer_line(reading: "Reading") -> str:
    return reading.shown().strip().split("\n")[-1].strip()


def _answer_latex(reading: "Reading") -> str | None:
    from quizzer.notation.readings import drawn_as

    latex = drawn_as(reading)
    return latex and latex.split(LATEX_BREAK)[-1]


def _stopped(invalid: Invalid, text: str, stripped: str) -> Stopped:
    complete = invalid.code != "unfinished" and not _goes_on(stripped)
    if invalid.line is None or invalid.column is None:
        complete = complete and invalid.code not in _OF_TERMS
        return Stopped(invalid.message, None, None, complete)
    lines = stripped.split("\n")
    place = sum(len(line) + 1 for line in lines[: invalid.line - 1]) + invalid.column - 1
    if complete and _may_be_mended(invalid, stripped, place):
        complete = False
    skipped = text[: text.index(stripped)]
    beside = len(skipped.rpartition("\n")[2]) if invalid.line == 1 else 0
    return Stopped(
        invalid.message, invalid.line + skipped.count("\n"), invalid.column + beside, complete
    )


def _may_be_mended(invalid: Invalid, text: str, place: int) -> bool:
    """Whether more letters may mend a fault at this place."""
    left = text[place:]
    if not left or _LAST.fullmatch(left) or invalid.code == "left-side":
        return True
    if left[0] == "," and "=" not in left:
        return True  # an equation may follow
    if text.startswith("def") and "\n" not in left:
        return True
    # A product may go on, with a transpose for example.
    return invalid.code in _OF_TERMS and place >= last_term(text)


def _goes_on(stripped: str) -> bool:
    """Whether the text cannot end here, or ends in its answer's first word."""
    answer = stripped.rpartition("=")[2].strip()
    return goes_on(stripped) or bool(_WORD.fullmatch(answer))
