"""Work on many things that several processors share: item by item, or message by message."""

import os
import queue
import threading
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.worker import Completed, Worker

R = TypeVar("R")
T = TypeVar("T")
W = TypeVar("W")

_MOST_PROCESSES = 4
_AHEAD = 1_024  # results that may wait for a slow one before them
_MOST_TOGETHER = 32


def processes() -> int:
    """How many processes work at the same time on this machine."""
    return min(os.cpu_count() or 1, _MOST_PROCESSES)


def shared(
    make: Callable[[], AbstractContextManager[W]],
    work: Callable[[W, T], R],
    items: Sequence[T],
    progress: Callable[[int, int], None] | None = None,
) -> list[R]:
    """What `work` gives for each item, in their order; each thread `make`s what it works with.

    Processes do nearly all of it, so threads are enough here. An error ends everything.
    `progress` gets, in the calling thread, how many items are done of how many.
    """
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for place in range(len(items)):
        waiting.put(place)
    done: queue.SimpleQueue[tuple[int, R] | BaseException] = queue.SimpleQueue()
    stopped = threading.Event()

    def serve() -> None:
        try:
            with make() as made:
                while not stopped.is_set():
                    try:
                        place = waiting.get_nowait()
                    except queue.Empty:
                        return
                    done.put((place, work(made, items[place])))
        except BaseException as error:
            done.put(error)

    count = min(processes(), len(items))
    threads = [threading.Thread(target=serve, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    results: dict[int, R] = {}
    try:
        while len(results) < len(items):
            if progress:
                progress(len(results), len(items))
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            results[found[0]] = found[1]
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
    return [results[place] for place in range(len(items))]


class Workers:
    """A worker for every processor, as one: each message goes to one that is free."""

    def __init__(self, first: Worker, make: Callable[[], Worker]) -> None:
        """`first` is used first; the others are made now, and start when it is busy."""
        self._all = [first, *(make() for _ in range(processes() - 1))]
        self._free: queue.LifoQueue[Worker] = queue.LifoQueue()
        self._closed = False
        for worker in reversed(self._all):
            self._free.put(worker)

    def start(self) -> None:
        if not self._closed:
            self._all[0].start()

    def exchange(self, message: bytes, seconds: float) -> Completed:
        worker = self._free.get()
        try:
            if self._closed:
                raise SandboxError("the sandbox was closed")
            return worker.exchange(message, seconds)
        finally:
            self._free.put(worker)

    def expect(self, message: bytes) -> None:
        """Whatever comes next, another message may come before it: nothing gets ready."""

    def close(self) -> None:
        """End every process for good: whoever still waits for one gets an error."""
        self._closed = True
        for worker in self._all:
            worker.close()


def in_order(
    work: Callable[[T], R],
    items: Iterable[T],
    together: Callable[[Sequence[T]], None] | None = None,
    alike: Callable[[T], Hashable] = id,
) -> Generator[R, None, None]:
    """What `work` gives for each item, in their order, each as soon as those before it are there.

    A separate thread takes the items, a limited number ahead. `work` may be called by several
    threads at once; what it or the items raise is raised here. Items that are `alike` and wait are
    given to `together`, before each is worked on.
    """
    # More threads than processes: some wait while their own message is prepared.
    pool = ThreadPoolExecutor(2 * processes())
    slots: queue.Queue[Future[R] | None] = queue.Queue(_AHEAD)
    waiting: _Waiting[T, R] = _Waiting()

    def take() -> None:
        try:
            for item in items:
                future: Future[R] = Future()
                slots.put(future)
                key = alike(item)
                waiting.add(key, item, future)
                pool.submit(serve, key)
        except BaseException as error:
            failed: Future[R] = Future()
            failed.set_exception(error)
            slots.put(failed)
        slots.put(None)

    def serve(key: Hashable) -> None:
        taken = waiting.take(key)
        failed = None
        if together and len(taken) > 1:
            try:
                together([item for item, _ in taken])
            except BaseException as error:
                failed = error
        for item, future in taken:
            try:
                if failed:
                    raise failed
                future.set_result(work(item))
            except BaseException as error:
                future.set_exception(error)

    threading.Thread(target=take, daemon=True).start()
    try:
        while (slot := slots.get()) is not None:
            yield slot.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Waiting(Generic[T, R]):
    """Items that nobody works on yet, with what becomes of them, by what they are alike in."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_key: dict[Hashable, list[tuple[T, Future[R]]]] = {}

    def add(self, key: Hashable, item: T, future: Future[R]) -> None:
        with self._lock:
            self._by_key.setdefault(key, []).append((item, future))

    def take(self, key: Hashable) -> list[tuple[T, Future[R]]]:
        """The first of those that wait; none if they were taken along with others."""
        with self._lock:
            waiting = self._by_key.pop(key, [])
            if rest := waiting[_MOST_TOGETHER:]:
                self._by_key[key] = rest
        return waiting[:_MOST_TOGETHER]
