"""The same work on many checkers, shared out among a few judges."""

import os
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

J = TypeVar("J")
R = TypeVar("R")

_MOST_JUDGES = 4


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

    count = min(os.cpu_count() or 1, _MOST_JUDGES, len(checkers))
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
