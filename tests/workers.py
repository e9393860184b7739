"""Workers for tests that are not about processes: no process at all, or one that others warmed up.

A warm sandbox forks a child for each message, so that no test sees what another did.
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

_REPEATED = (b"describe", b"scout", b"pose", b"confirm", b"explain")
"""Stages that tests ask for again and again, of the same checkers and seeds."""
_built = lru_cache(8)(build.build)
"""Declared checkers that several stages in turn open."""
shared_replies: Path | None = None
"""Where the processes of one test run share their replies; `conftest` makes it."""


@lru_cache(256)
def _remembered(message: bytes) -> bytes:
    """The reply to a message, worked out once in a test run."""
    if shared_replies is None:
        return stages.serve(message)
    kept = shared_replies / hashlib.sha256(message).hexdigest()
    with suppress(FileNotFoundError):
        return kept.read_bytes()
    reply = stages.serve(message)
    unfinished = kept.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(reply)
    unfinished.replace(kept)
    return reply


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

    def close(self) -> None:
        """Nothing is left running."""


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
    return Lent(_idle.pop() if _idle else best) if isinstance(best, ZygoteWorker) else best


@atexit.register
def _end() -> None:
    for worker in _idle:
        worker.close()
