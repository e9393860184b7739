"""The terminal that keys come from: its state, and what was typed ahead.

A system without `termios`, such as Windows, has a console that keeps no state of ours, and shows
nothing of what is typed while nobody reads.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from quizzer.app.failure import Usage

try:
    import termios
except ImportError:
    termios = None  # type: ignore[assignment]

State = list[Any]

_AS_A_SHELL_HAS_IT = "\x1b[?2004l\x1b[?25h\x1b[0m"
"""Pasted text comes without brackets, the cursor is seen, and nothing is coloured."""


def state() -> State | None:
    """How the terminal treats keys now; None without one, or if another program has it."""
    if termios is None or not _has_keyboard():
        return None
    with suppress(termios.error):
        return termios.tcgetattr(sys.stdin)
    return None


def restore(before: State | None) -> None:
    """Restore an earlier state of the terminal, if it is in another one."""
    now = state()
    if before is None or now is None or now == before:
        return
    with suppress(termios.error):
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


def edits_lines() -> bool:
    """Whether the terminal hands over whole lines, not keys as they are pressed."""
    now = state()
    return now is not None and bool(now[3] & termios.ICANON)


@contextmanager
def restored() -> Iterator[None]:
    """At the end, however it comes, the terminal is as it was at the beginning."""
    before = state()
    try:
        yield
    except BaseException:
        leave_question()
        raise
    finally:
        restore(before)


def leave_question() -> None:
    """Reset the screen after a question that was cut short."""
    if "prompt_toolkit.renderer" in sys.modules and os.environ.get("TERM", "dumb") != "dumb":
        with suppress(OSError, ValueError):
            if sys.stdout.isatty():
                os.write(sys.stdout.fileno(), _AS_A_SHELL_HAS_IT.encode())


def need_terminal(instead: str) -> None:
    """Raise Usage where nobody can be asked."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage(f"this asks questions and needs a terminal; from a script use {instead}")


@contextmanager
def unechoed() -> Iterator[None]:
    """The terminal keeps what is typed, and does not show it."""
    before = state()
    if before is None:
        yield
        return
    silent = [*before]
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(sys.stdin, termios.TCSANOW, silent)
    try:
        yield
    finally:
        restore(before)


def forget_typed() -> None:
    """Forget what has been typed so far."""
    if termios:
        with suppress(termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
        return
    with suppress(ImportError):
        import msvcrt

        while msvcrt.kbhit():  # type: ignore[attr-defined]
            msvcrt.getwch()  # type: ignore[attr-defined]


def _has_keyboard() -> bool:
    """Whether keys come to this program; one in the background is stopped if it sets them up."""
    try:
        return sys.stdin.isatty() and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (AttributeError, OSError, ValueError):  # standard input is closed
        return False
