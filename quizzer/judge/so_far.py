"""What is understood of an answer while it is typed: it is read, and never run.

Reading comes with NumPy, so it is imported with the first text.
"""

import re
from dataclasses import dataclass

from quizzer.notation import Context, Invalid

MAX_LENGTH = 1_500
"""Characters up to which an answer is read while it is typed; longer ones, when they are sent."""

_WORD = re.compile(r"\w+")
_COMMAND = re.compile(r"\\[A-Za-z]*")
_LEFT_SIDE = re.compile(r"[^\s=()+*@-]+(\[[^]=]*\])?")
_OPERATORS = "+-*/@%^.,=<>&|~"


@dataclass(frozen=True, slots=True)
class Understood:
    """A text that can be read: in which notation, and its answer line as it was read."""

    notation: str
    shown: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """A text that cannot be read, or not yet: why, and where, both count from 1 in the text."""

    message: str
    line: int | None
    column: int | None
    complete: bool
    """False where more may still come: at the text's end, or in brackets that are open."""


SoFar = Understood | Stopped


def read_so_far(context: Context, text: str) -> SoFar | None:
    """What a judgement would read in this text; None where nothing is written, or too much.

    A judgement may still find it invalid for what only computing shows: shapes and ranges that do
    not fit together, NaN, an error of Python's own.
    """
    from quizzer.notation import read

    stripped = text.strip()
    if not stripped or len(stripped) > MAX_LENGTH:
        return None
    reading = read(stripped, context)
    if isinstance(reading, Invalid):
        return _stopped(reading, text, stripped)
    return Understood(reading.notation, reading.shown().strip().split("\n")[-1].strip())


def _stopped(invalid: Invalid, text: str, stripped: str) -> Stopped:
    complete = invalid.code != "unfinished"
    if invalid.line is None or invalid.column is None:
        return Stopped(invalid.message, None, None, complete and not _goes_on(stripped))
    left = "\n".join(stripped.split("\n")[invalid.line - 1 :])[invalid.column - 1 :]
    if _may_be_mended(invalid, left):
        complete = False
    skipped = text[: text.index(stripped)]
    beside = len(skipped.rpartition("\n")[2]) if invalid.line == 1 else 0
    return Stopped(
        invalid.message, invalid.line + skipped.count("\n"), invalid.column + beside, complete
    )


def _may_be_mended(invalid: Invalid, left: str) -> bool:
    """Whether more letters may mend a fault with this `left` from its place to the text's end."""
    if not left or _COMMAND.fullmatch(left):
        return True
    if invalid.code not in ("unknown-name", "indices"):
        return False
    # The last word may go on, and the first may become a left side.
    return bool(_WORD.fullmatch(left) or (invalid.column == 1 and _LEFT_SIDE.fullmatch(left)))


def _goes_on(stripped: str) -> bool:
    """Whether the text ends after an operator, in open brackets or in its answer's first word."""
    opened, closed = (sum(map(stripped.count, signs)) for signs in ("([{", ")]}"))
    answer = stripped.rpartition("=")[2].strip()
    return opened > closed or stripped[-1] in _OPERATORS or bool(_WORD.fullmatch(answer))
