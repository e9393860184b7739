"""What the learner sees while they wait: nothing for a blink, then a line that says what is done.

The line appears on standard error, on a terminal only, and disappears with the work. What is typed
meanwhile does not appear in it: it waits for the next question.
"""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import ClassVar, TextIO

from quizzer.cli.terminal import streams, tty

BLINK = 0.1
"""Seconds that nobody minds."""


class Line:
    """A line of standard error that is overwritten, and wiped in the end."""

    standing: ClassVar["Line | None"] = None
    """The one that the terminal shows now."""

    def __init__(self) -> None:
        self._length = 0

    def show(self, text: str) -> None:
        if sys.stderr.isatty():
            # Written over, a line that the window broke would leave its first part behind.
            if len(text) >= (room := window(sys.stderr)):
                text = text[:room].rpartition(" ")[0] or text[: room - 1]
            streams.rewrite(f"\r{text:<{self._length}}")
            self._length = len(text)
            Line.standing = self

    def clear(self) -> None:
        if self._length:
            # Blanks, since a dumb terminal cannot wipe a line.
            streams.rewrite(f"\r{'':<{self._length}}\r")
            self._length = 0
            Line.standing = None


class ProgressLine:
    """Shows how far work of many steps is, after each of them; the body of a `with` does them.

    In a line of its own, or in one that already says that something is being done.
    """

    def __init__(self, what: str, line: Line | None = None) -> None:
        self._what = what
        self._line = line or Line()
        self._next = time.monotonic() + BLINK

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + BLINK
            self._line.show(f"{self._what}: {done} of {total}")

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *_: object) -> None:
        self._line.clear()


def window(stream: TextIO) -> int:
    """Columns of the terminal that the stream writes to, whatever the others are."""
    try:
        own = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        own = os.terminal_size((0, 0))
    return shutil.get_terminal_size((own.columns or 80, own.lines or 24)).columns


def give_way() -> None:
    """Wipe the line that is shown, so that a message can take its place."""
    if Line.standing:
        Line.standing.clear()


@contextmanager
def busy(what: str) -> Iterator[Line]:
    """Show that `what` is being done if the body takes longer than a blink."""
    line, done = Line(), Event()

    def show() -> None:
        if not done.wait(BLINK):
            line.show(f"{what} ...")

    if not sys.stderr.isatty():
        yield line
        return
    teller = Thread(target=show, daemon=True)
    with tty.unechoed():
        teller.start()
        try:
            yield line
        finally:
            done.set()
            teller.join()
            line.clear()
