"""Many answers at once: what is kept for them, who judges them, and the order they come out in."""

import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from quizzer.checker import SERVICE
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.sandbox import pool
from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.pool import Workers, in_order
from quizzer.sandbox.worker import Completed, Worker, best_worker
from quizzer.values import Verdict

LAYER = """
answers = ["dx"]
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 8))}
def forward(x):
    return {"y": FACTOR * x}
"""
LOOP = "def dx(dy):\n    while True:\n        pass"


class Noting:
    """A worker that notes the stages it runs."""

    def __init__(self) -> None:
        self._worker = best_worker(SERVICE)
        self.stages: list[str] = []

    def start(self) -> None:
        self._worker.start()

    def exchange(self, message: bytes, seconds: float) -> Completed:
        self.stages.append(message.partition(b"\n")[0].decode())
        return self._worker.exchange(message, seconds)

    def close(self) -> None:
        self._worker.close()


@pytest.fixture
def checkers(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"layer_{factor}.py" for factor in (2, 3, 4)]
    for factor, path in enumerate(paths, 2):
        path.write_text(LAYER.replace("FACTOR", str(factor)), "utf-8")
    return paths


def verdict(judge: Judge, checker: Path, text: str, seed: int = 1) -> Verdict:
    judged = judge.judge(checker, {"dx": text}, seed)
    assert isinstance(judged, Judgement), judged
    return judged.verdict


def test_as_many_preparations_are_kept_as_are_asked_for(checkers: list[Path]) -> None:
    first, second, third = checkers
    worker = Noting()
    with Judge(worker, kept=2) as judge:
        for checker in (first, second, first, second, third, second):
            verdict(judge, checker, "dy")
        assert worker.stages.count("pose") == 3
        verdict(judge, first, "dy")  # the one that was used least recently
        assert worker.stages.count("pose") == 4


@pytest.mark.parametrize(("text", "found"), [("2 * dy", Verdict.CORRECT), ("dy", Verdict.WRONG)])
def test_an_answer_that_many_give_is_worked_out_once(
    checkers: list[Path], text: str, found: Verdict
) -> None:
    worker = Noting()
    with Judge(worker, kept=2, verdicts=1) as judge:
        first = judge.judge(checkers[0], {"dx": text}, 1)
        before = len(worker.stages)
        assert judge.judge(checkers[0], {"dx": text}, 1) == first
        assert len(worker.stages) == before
        assert verdict(judge, checkers[0], "3 * dy") is Verdict.WRONG
        assert verdict(judge, checkers[0], text) is found  # once more: only one is kept
        assert len(worker.stages) >= before + 2


def test_a_kept_verdict_belongs_to_its_checker_seed_and_notation(checkers: list[Path]) -> None:
    double, triple, _ = checkers
    with Judge(kept=8, verdicts=8) as judge:
        assert verdict(judge, double, "2 * dy") is Verdict.CORRECT
        assert verdict(judge, triple, "2 * dy") is Verdict.WRONG
        other = judge.judge(double, {"dx": "3 * dy"}, 2)
        assert judge.judge(double, {"dx": "3 * dy"}, 1) != other
        in_index = judge.judge(double, {"dx": "2 * dy"}, 1, "index")
        assert isinstance(in_index, Judgement) and in_index.answers[0].notation != "numpy"
        double.write_text(triple.read_text("utf-8"), "utf-8")
        assert verdict(judge, double, "2 * dy") is Verdict.WRONG


def test_a_time_out_is_not_kept(checkers: list[Path]) -> None:
    checkers[0].write_text("seconds = 0.4\n" + checkers[0].read_text("utf-8"), "utf-8")
    worker = Noting()
    with Judge(worker, kept=2, verdicts=8) as judge:
        assert verdict(judge, checkers[0], LOOP) is Verdict.INVALID
        before = len(worker.stages)
        assert verdict(judge, checkers[0], LOOP) is Verdict.INVALID
        assert len(worker.stages) == before + 1


class Meeting:
    """A worker whose stages end only when so many run at the same time."""

    def __init__(self, barrier: threading.Barrier) -> None:
        self._barrier = barrier
        self.closed = False

    def start(self) -> None: ...

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
