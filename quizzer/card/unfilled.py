"""Places that a template leaves to the author: how they are written, and where a card has any."""

import re
from collections.abc import Iterator
from pathlib import Path

from quizzer.card.values import Problem, Severity
from quizzer.text import clean

PLACE = re.compile(r"\[fill in: ([^\[\]\r\n]+)\]")
"""A place as it is written, with what is to be filled in."""
_PLACE = re.compile(rb"\[fill in: [^\[\]\r\n]+\]")


def place(what: str) -> str:
    """A place of a template where the author writes `what`."""
    return f"[fill in: {what.replace('[', '(').replace(']', ')')}]"


def unfilled_problems(data: bytes, path: Path) -> Iterator[Problem]:
    """The places of a card's file that are still as the template left them, by line."""
    for number, line in enumerate(data.splitlines(), 1):
        for found in _PLACE.findall(line):
            message = f"`{clean(found.decode('utf-8', 'replace'))}` is still to be filled in"
            yield Problem(path, number, Severity.WARNING, "unfilled", message)
