"""Workers for tests that are not about processes: no process at all, or one that others warmed up.

A warm sandbox forks a child for each message, so that no test sees what another did. What it once
replied to a message it would reply again, so the tests of one run share its replies.
"""

import atexit
import hashlib
import os
import threading
import warnings
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

import numpy as np

from quizzer.checker import stages
from quizzer.checker.declared import build
from quizzer.sandbox.worker import Completed, Worker, ZygoteWorker, best_worker

_REPEATED = (b"describe", b"scout", b"pose", b"confirm", b"explain", b"study")
"""Stages that tests ask for again and again, of the same checkers and seeds."""
_built = lru_cache(8)(build.build)
"""Declared checkers that several stages in turn open."""
shared_replies: Path | None = None
"""Where the processes of one test run share their replies; `conftest` makes it."""


@lru_cache(256)
def _remembered(message: bytes) -> bytes:
    """The reply to a message, worked out once in a test run."""
    reply = _shared("here", message)
    if reply is None:
        reply = stages.serve(message)
        _share("here", message, reply)
    return reply


def _shared(where: str, message: bytes) -> bytes | None:
    """What was replied to this message before, in any process of this test run."""
    if shared_replies is None:
        return None
    with suppress(FileNotFoundError):
        return _place(shared_replies, where, message).read_bytes()
    return None


def _share(where: str, message: bytes, reply: bytes) -> None:
    if shared_replies is None:
        return
    kept = _place(shared_replies, where, message)
    unfinished = kept.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    unfinished.write_bytes(reply)
    unfinished.replace(kept)


def _place(replies: Path, where: str, message: bytes) -> Path:
    return replies / f"{hashlib.sha256(message).hexdigest()}-{where}"


class InThisProcess:
    """Answers messages here and without limits: for code that we wrote ourselves."""

    def start(self) -> None:
        """There is nothing to start."""

    def exchange(self, message: bytes, seconds: float) -> Completed:
        repeated = message.startswith(_REPEATED)
        with (
            np.errstate(all="ignore"),
            warnings.catch_warnings(),
            patch.object(build, "build", _built),
        ):
            warnings.simplefilter("ignore")
            return Completed((_remembered if repeated else stages.serve)(message), b"", 0)

    def expect(self, message: bytes) -> None:
        """Nothing need get ready."""

    def close(self) -> None:
        """Nothing is left running."""


class Remembering:
    """A sandbox that is asked each message once in a test run, unless it failed or something was
    printed."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._closed = False

    def start(self) -> None:
        self._worker.start()

    def exchange(self, message: bytes, seconds: float) -> Completed:
        reply = None if self._closed else _shared("sandbox", message)
        if reply is not None:
            return Completed(reply, b"", 0)
        completed = self._worker.exchange(message, seconds)
        if completed.code == 0 and not completed.printed:
            _share("sandbox", message, completed.reply)
        return completed

    def expect(self, message: bytes) -> None:
        self._worker.expect(message)

    def close(self) -> None:
        self._closed = True
        self._worker.close()


_idle: list[ZygoteWorker] = []


class Lent:
    """A warm worker that goes back to the idle ones when it is closed."""

    def __init__(self, worker: ZygoteWorker) -> None:
        self._worker = worker
        self._lock = threading.Lock()
        self._under_way = 0
        self._returned = False

    def start(self) -> None:
        self._worker.start()

    def exchange(self, message: bytes, seconds: float) -> Completed:
        with self._lock:
            self._under_way += 1
        try:
            return self._worker.exchange(message, seconds)
        finally:
            with self._lock:
                self._under_way -= 1

    def expect(self, message: bytes) -> None:
        self._worker.expect(message)

    def close(self) -> None:
        """Give it back; what is still under way ends, as it does with a worker of one's own."""
        with self._lock:
            under_way, returned, self._returned = self._under_way, self._returned, True
        if under_way:
            self._worker.close()
        if not returned:
            _idle.append(self._worker)


def lend(service: str) -> Worker:
    """The best worker of this system, warm from an earlier test where that is possible."""
    best = best_worker(service)
    if not isinstance(best, ZygoteWorker):
        return best
    return Remembering(Lent(_idle.pop() if _idle else best))


@atexit.register
def _end() -> None:
    for worker in _idle:
        worker.close()
