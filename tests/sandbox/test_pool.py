"""Many messages at once: who answers them, and the order that results come out in."""

import threading
from collections.abc import Iterator, Sequence
from itertools import count

import pytest

from quizzer.sandbox import pool
from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.pool import Workers, in_order
from quizzer.sandbox.worker import Completed, Worker


class Meeting:
    """A worker whose stages end only when so many run at the same time."""

    def __init__(self, barrier: threading.Barrier) -> None:
        self._barrier = barrier
        self.closed = False

    def start(self) -> None: ...

    def expect(self, message: bytes) -> None: ...

    def exchange(self, message: bytes, seconds: float) -> Completed:
        self._barrier.wait(30.0)
        return Completed(message, b"", 0)

    def close(self) -> None:
        self.closed = True


def test_stages_go_to_workers_that_are_free(monkeypatch: pytest.MonkeyPatch) -> None:
    barrier = threading.Barrier(3)
    made: list[Worker] = []
    monkeypatch.setattr(pool, "processes", lambda: 3)
    workers = Workers(Meeting(barrier), lambda: made.append(Meeting(barrier)) or made[-1])
    messages = [b"a", b"b", b"c"] * 2
    found = [ended.reply for ended in in_order(lambda m: workers.exchange(m, 1.0), messages)]
    assert found == messages
    workers.close()
    assert len(made) == 2 and all(isinstance(each, Meeting) and each.closed for each in made)
    with pytest.raises(SandboxError, match="closed"):
        workers.exchange(b"d", 1.0)


def test_results_keep_the_order_of_the_items_whichever_is_done_first() -> None:
    second_done = threading.Event()

    def work(item: int) -> int:
        if item == 0:
            assert second_done.wait(30.0)
        if item == 1:
            second_done.set()
        return item

    assert list(in_order(work, range(50))) == list(range(50))


def test_only_so_many_items_are_taken_ahead_of_the_result_that_comes_next() -> None:
    taken, too_far = 0, threading.Event()

    def items() -> Iterator[int]:
        nonlocal taken
        for item in count():
            taken = item
            if item > pool._AHEAD + 2:
                too_far.set()
            yield item

    results = in_order(lambda item: item, items())
    assert next(results) == 0
    assert not too_far.wait(0.5)
    for _ in range(3 * pool._AHEAD):
        next(results)
    assert too_far.is_set()
    results.close()


def test_what_an_item_or_its_work_raises_comes_in_its_place() -> None:
    def items() -> Iterator[int]:
        yield 3
        raise OSError("unreadable")

    results = in_order(lambda item: 6 // item, items())
    assert next(results) == 2
    with pytest.raises(OSError, match="unreadable"):
        next(results)
    with pytest.raises(ZeroDivisionError):
        next(in_order(lambda item: 6 // item, [0]))


def test_items_that_are_alike_and_wait_are_begun_together_before_each_is_worked_on() -> None:
    all_wait = threading.Event()
    begun: list[list[int]] = []
    worked: list[int] = []

    def items() -> Iterator[int]:
        yield from range(pool._MOST_TOGETHER * 2 + 5)
        all_wait.set()

    def together(waiting: Sequence[int]) -> None:
        assert not {*waiting} & {*worked}
        begun.append([*waiting])

    def work(item: int) -> int:
        if item % 2 or item == 0:
            assert all_wait.wait(30.0)
        worked.append(item)
        return item

    found = list(in_order(work, items(), together, lambda item: item % 2 or item))
    assert found == [*range(len(found))]
    assert all(item % 2 for waiting in begun for item in waiting)
    assert 1 < max(map(len, begun)) <= pool._MOST_TOGETHER


def test_what_beginning_together_raises_comes_in_the_place_of_each() -> None:
    def together(waiting: Sequence[int]) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        list(in_order(lambda item: item, range(5_000), together, lambda item: 0))
