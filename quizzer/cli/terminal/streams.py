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
    reads: no file that is opened later may get its number.
    """
    _open_closed()
    told = sys.stdout
    assert isinstance(told, io.TextIOWrapper)
    how = told.encoding, told.errors, None, told.line_buffering, told.write_through
    # Python itself asks the second for the size of the window.
    sys.stdout = sys.__stdout__ = Output(told.detach(), *how)  # type: ignore[misc]


def lenient() -> None:
    """A terminal of another encoding shows `?` for a sign it lacks instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def warn(*lines: str) -> None:
    """Lines on standard error; where nobody can read them, the program goes on."""
    rewrite("".join(f"{line}\n" for line in lines))


def rewrite(text: str) -> None:
    """Text on standard error as it is, at once; where nobody can read it, the program goes on."""
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
    """Let the stream lead nowhere, as Python would try once more at its end to write the rest."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _open_closed() -> None:
    # Output is opened for reading: a write fails, and is told, as on a full disk.
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
