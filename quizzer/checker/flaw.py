"""What the author of a checker should mend. No NumPy here."""

import re

from msgspec import Struct

from quizzer.checker.load import NAMES
from quizzer.checker.source import Declared, Source

_SAID = re.compile(r"\bline (\d+)( of the card)?:", re.IGNORECASE)
_QUOTED = re.compile(r"'([^']{3,})'|\"([^\"]{3,})\"")
_ENOUGH = 20  # characters of a sentence that tell it from others
_NAMED = re.compile(rf"\b({'|'.join(NAMES)})\b")

UNREAD_LINE = "declaration"
"""The code of a line of a declared checker that cannot be read."""


class Flaw(Struct, frozen=True):
    """One thing that a checker's author should mend, found by proving the checker."""

    code: str
    message: str
    error: bool = True
    line: int | None = None
    """The line of the checker's file, where it is known; counts from 1."""
    in_card: bool = False
    """Whether the line is one of the card's file."""


class Flaws(Struct, frozen=True):
    """What a look at a checker's source finds."""

    flaws: tuple[Flaw, ...]


def line_said(message: str) -> tuple[int | None, bool]:
    """The line number in a message itself, and whether it is one of the card."""
    found = _SAID.search(message)
    return (int(found[1]), found[2] is not None) if found else (None, False)


def without_line(message: str) -> str:
    """The message without the line number that it begins with."""
    found = _SAID.match(message)
    return message[found.end() :].strip() if found else message


def line_of(message: str, source: Source) -> int | None:
    """The line of what a message speaks of: a sentence that it quotes, else a name."""
    if isinstance(source, Declared):
        found = line_of(message, source.text)
        return found and found + source.line - 1
    lines = source.splitlines()
    for quoted in _QUOTED.findall(message):
        words = next(filter(None, quoted))[:_ENOUGH]  # the rest may be on the next lines
        for number, line in enumerate(lines, 1):
            if words in line:
                return number
    for name in _NAMED.findall(message):
        for number, line in enumerate(lines, 1):
            if re.match(rf"(def\s+)?{name}\b", line):
                return number
    return None
