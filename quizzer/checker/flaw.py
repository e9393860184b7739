"""What the author of a checker should mend. No NumPy here."""

import re
from dataclasses import dataclass

_SAID = re.compile(r"\bline (\d+):", re.IGNORECASE)
_QUOTED = re.compile(r"'([^']{3,})'|\"([^\"]{3,})\"")
_TELLING = 20
_NAMED = re.compile(
    r"\b(sample|forward|reference|let|accept|right|wrong|also|terms|variants"
    r"|symbols|sizes|symmetric|answers|seconds|ties|first_index)\b"
)


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that a checker's author should mend, found by proving the checker."""

    code: str
    message: str
    error: bool = True
    line: int | None = None
    """The line of the checker's file, where it is known; counts from 1."""


@dataclass(frozen=True, slots=True)
class Flaws:
    """What a look at a checker's source finds."""

    flaws: tuple[Flaw, ...]


def line_said(message: str) -> int | None:
    """The line that a message names itself."""
    found = _SAID.search(message)
    return int(found[1]) if found else None


def line_of(message: str, source: str) -> int | None:
    """Where the checker's text stands that a message speaks of: its sentence, else its names."""
    lines = source.splitlines()
    for quoted in _QUOTED.findall(message):
        words = next(filter(None, quoted))[:_TELLING]  # the rest may stand on the lines after it
        for number, line in enumerate(lines, 1):
            if words in line:
                return number
    for name in _NAMED.findall(message):
        for number, line in enumerate(lines, 1):
            if re.match(rf"(def\s+)?{name}\b", line):
                return number
    return None
