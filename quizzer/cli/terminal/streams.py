"""Standard input, output and error, whatever they lead to: a full disk, nothing at all."""

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO

LOST = 7
"""The exit code of a command whose output could not be written."""

_WHY = {
    errno.EBADF: "it is closed",
    errno.ENOSPC: "there is no room left on the disk",
    errno.EIO: "the terminal is gone",
}


class Output(io.TextIOWrapper):
    """Standard output that remembers why it could not be written."""

    failure: OSError | None = None

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self.failure = error
            raise

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self.failure = error
            raise


def set_up() -> None:
    """Make the streams of this process usable.

    A closed one becomes empty input, output that refuses each write, or messages that nobody
    reads, so that no file opened later gets its number.
    """
    _open_closed()
    given = sys.stdout
    assert isinstance(given, io.TextIOWrapper)
    how = given.encoding, given.errors, None, given.line_buffering, given.write_through
    # Python itself asks `sys.__stdout__` for the size of the window.
    sys.stdout = sys.__stdout__ = Output(given.detach(), *how)  # type: ignore[misc]


def lenient() -> None:
    """A terminal with another encoding shows `?` for a character it lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def warn(*lines: str) -> None:
    """Lines on standard error; if nobody can read them, the program goes on."""
    rewrite("".join(f"{line}\n" for line in lines))


def rewrite(text: str) -> None:
    """Text on standard error as it is, at once; if nobody can read it, the program goes on."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)


def lost() -> str | None:
    """Why standard output could not be written, if so; the rest of it is dropped then."""
    with suppress(OSError):
        sys.stdout.flush()
    failure = sys.stdout.failure if isinstance(sys.stdout, Output) else None
    if failure is None:
        return None
    _drop(sys.stdout)
    return _WHY.get(failure.errno or 0) or failure.strerror or str(failure)


def _drop(stream: TextIO) -> None:
    """Let the stream lead nowhere: otherwise Python would try to write the rest when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _open_closed() -> None:
    # Output is opened for reading: a write fails, and is reported, as on a full disk.
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, mode)  # the lowest free number
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            how = "w" if number else "r"
            setattr(sys, name, os.fdopen(number, how, encoding="utf-8", closefd=False))
