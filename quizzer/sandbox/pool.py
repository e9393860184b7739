"""Work on many things that several processors share: on checkers, or on answers as they come."""

import os
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.worker import Ended, Worker, best_worker

J = TypeVar("J")
R = TypeVar("R")
T = TypeVar("T")

_MOST_JUDGES = 4
_AHEAD = 256  # results that may wait for a slow one before them


def prove_with(
    make: Callable[[], AbstractContextManager[J]],
    checkers: Sequence[Path],
    work: Callable[[J, Path], R],
    progress: Callable[[int, int], None] | None = None,
) -> list[R]:
    """What `work` gives for each checker, in their order; each judge has a thread.

    The judges' processes do nearly all of it, so that threads are enough here. An error ends all.
    """
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for place in range(len(checkers)):
        waiting.put(place)
    done: queue.SimpleQueue[tuple[int, R] | BaseException] = queue.SimpleQueue()
    stopped = threading.Event()

    def serve() -> None:
        try:
            with make() as judge:
                while not stopped.is_set():
                    try:
                        place = waiting.get_nowait()
                    except queue.Empty:
                        return
                    done.put((place, work(judge, checkers[place])))
        except BaseException as error:
            done.put(error)

    count = min(judges(), len(checkers))
    threads = [threading.Thread(target=serve, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    results: dict[int, R] = {}
    try:
        while len(results) < len(checkers):
            if progress:
                progress(len(results), len(checkers))
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            results[found[0]] = found[1]
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
    return [results[place] for place in range(len(checkers))]


def judges() -> int:
    """How many processes judge at the same time on this machine."""
    return min(os.cpu_count() or 1, _MOST_JUDGES)


class Workers:
    """A worker for every processor, as one: each stage goes to one that is free."""

    def __init__(self, first: Worker) -> None:
        """`first` is used first; the others start when it is busy."""
        self._all = [first, *(best_worker() for _ in range(judges() - 1))]
        self._free: queue.LifoQueue[Worker] = queue.LifoQueue()
        self._closed = False
        for worker in reversed(self._all):
            self._free.put(worker)

    def start(self) -> None:
        if not self._closed:
            self._all[0].start()

    def exchange(self, message: bytes, seconds: float) -> Ended:
        worker = self._free.get()
        try:
            if self._closed:
                raise SandboxError("the sandbox was closed")
            return worker.exchange(message, seconds)
        finally:
            self._free.put(worker)

    def close(self) -> None:
        """End every process, for good: nobody who still waits for one starts it again."""
        self._closed = True
        for worker in self._all:
            worker.close()


def in_order(work: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
    """What `work` gives for each item, in their order, each as soon as those before it are there.

    A thread of its own waits for the items, of which only so many are taken ahead. `work` may be
    called by several threads at once; what it or the items raise is raised here.
    """
    # More threads than processes: some of them wait while an answer of theirs is prepared.
    pool = ThreadPoolExecutor(2 * judges())
    slots: queue.Queue[Future[R] | None] = queue.Queue(_AHEAD)

    def take() -> None:
        try:
            for item in items:
                slots.put(pool.submit(work, item))
        except BaseException as error:
            failed: Future[R] = Future()
            failed.set_exception(error)
            slots.put(failed)
        slots.put(None)

    threading.Thread(target=take, daemon=True).start()
    try:
        while (slot := slots.get()) is not None:
            yield slot.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
