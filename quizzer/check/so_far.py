"""What is understood of an answer while it is typed: it is read, and never run.

Reading comes with NumPy, so it is imported with the first text.
"""

import re
from dataclasses import dataclass

from quizzer.notation import Context, Invalid

MAX_LENGTH = 1_500
"""Characters up to which an answer is read while it is typed; longer ones, when they are sent."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Understood:
    """A text that can be read: in which notation, and its answer line as it was read."""

    notation: str
    shown: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """A text that cannot be read, or not yet: why, and where, counted from 1 as it was typed."""

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

    typed = text.strip()
    if not typed or len(typed) > MAX_LENGTH:
        return None
    reading = read(typed, context)
    if isinstance(reading, Invalid):
        return _stopped(reading, text, typed)
    return Understood(reading.notation, reading.shown().strip().split("\n")[-1].strip())


def _stopped(invalid: Invalid, text: str, typed: str) -> Stopped:
    complete = invalid.code != "unfinished"
    if invalid.line is None or invalid.column is None:
        return Stopped(invalid.message, None, None, complete)
    left = "\n".join(typed.split("\n")[invalid.line - 1 :])[invalid.column - 1 :]
    if not left or (invalid.code in ("unknown-name", "indices") and _WORD.fullmatch(left)):
        complete = False  # the end is reached, or its last word may go on
    skipped = text[: text.index(typed)]
    beside = len(skipped.rpartition("\n")[2]) if invalid.line == 1 else 0
    return Stopped(
        invalid.message, invalid.line + skipped.count("\n"), invalid.column + beside, complete
    )
