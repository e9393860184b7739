"""Reading the files of a deck that are new or changed: on two cores where there are many.

The second process is a copy of this one that reads every other file and writes a line of the index
for each. Whatever it does not write, this process reads itself.
"""

import json
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from quizzer.card import Problem
from quizzer.deck.cache import KnownFile, known_of, row_of
from quizzer.deck.kept import UNUSABLE
from quizzer.deck.own_problem import OwnProblem
from quizzer.deck.values import Asking, asking_of, read_file, title_of
from quizzer.deck.walk import CardFile

MANY = 200
"""The number of files from which a second process is worth starting."""


def read_each(files: Sequence[CardFile]) -> Iterator[tuple[int, KnownFile]]:
    """Place and facts of each file, in no particular order. Closing it ends the second process."""
    if len(files) < MANY or not _is_shared_work_possible():
        yield from ((place, read_one(file)) for place, file in enumerate(files))
        return
    left = dict(enumerate(files))
    with _helper(files[1::2]) as pipe:
        for place in range(0, len(files), 2):
            yield place, read_one(left.pop(place))
            yield from _taken(left, pipe.arrived())
        yield from _taken(left, pipe.rest())
    yield from ((place, read_one(file)) for place, file in left.items())


def read_one(file: CardFile) -> KnownFile:
    problems: list[Problem] = []
    with OwnProblem(file.path, problems):
        parsed = read_file(file.path)
        return KnownFile(
            file.stamp,
            parsed.card.header if parsed.card else None,
            parsed.is_note,
            asking_of(parsed, has_checker=False),
            parsed.card.images if parsed.card else (),
            parsed.problems,
            title_of(parsed.card.header) if parsed.card else "",
            parsed.card.checker.line if parsed.card and parsed.card.checker else 0,
        )
    return KnownFile(file.stamp, None, False, Asking.REVEAL, (), tuple(problems), "")


class _Pipe:
    """The lines of the other process, as they arrive."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._begun = b""
        self._number = 0

    def arrived(self) -> list[tuple[int, bytes]]:
        """Those that are here, each with its place, without waiting."""
        os.set_blocking(self._descriptor, False)
        try:
            return self._whole(os.read(self._descriptor, 1 << 20))
        except BlockingIOError:
            return []

    def rest(self) -> Iterator[tuple[int, bytes]]:
        os.set_blocking(self._descriptor, True)
        while data := os.read(self._descriptor, 1 << 20):
            yield from self._whole(data)

    def _whole(self, data: bytes) -> list[tuple[int, bytes]]:
        *lines, self._begun = (self._begun + data).split(b"\n")
        first, self._number = self._number, self._number + len(lines)
        return [(2 * number + 1, line) for number, line in enumerate(lines, start=first)]


def _taken(
    left: dict[int, CardFile], lines: Iterable[tuple[int, bytes]]
) -> Iterator[tuple[int, KnownFile]]:
    for place, line in lines:
        with suppress(*UNUSABLE):
            known = known_of(left[place], json.loads(line))
            del left[place]
            yield place, known


def _is_shared_work_possible() -> bool:
    """A copy of a process has only one of its threads, and may wait for another for ever."""
    return hasattr(os, "fork") and threading.active_count() == 1 and (os.cpu_count() or 1) > 1


@contextmanager
def _helper(files: Sequence[CardFile]) -> Iterator[_Pipe]:
    """A process that reads these files; it is gone in the end, whatever happens.

    Where none can be started, the pipe is empty.
    """
    reading, writing = os.pipe()
    child = 0
    try:
        # The copy must not handle a signal as if it were this process.
        former = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            child = _fork()
            if not child:
                os.close(reading)  # else it would not notice that this process was killed
                _help(files, writing)
            os.close(writing)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, former)
        yield _Pipe(reading)
    finally:
        os.close(reading)
        if child > 0:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):  # whoever started this process ignores SIGCHLD
                os.waitpid(child, 0)


def _fork() -> int:
    """The id of the copy, 0 within it, -1 where the system allows no further process."""
    try:
        return os.fork()
    except OSError:
        return -1


def _help(files: Sequence[CardFile], writing: int) -> None:
    """What the copy does, and nothing after it."""
    try:
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
        with os.fdopen(writing, "wb", buffering=0) as out:
            for file in files:
                out.write(json.dumps(row_of(file, read_one(file))).encode() + b"\n")
    finally:
        os._exit(0)
