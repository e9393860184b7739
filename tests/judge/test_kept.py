"""What a judge keeps when many answers come: preparations, and verdicts on equal answers."""

import time
from pathlib import Path

import pytest

from quizzer.checker import SERVICE
from quizzer.checker.answer import Evaluate, EvaluateCases
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.sandbox.wire import unpack
from quizzer.sandbox.worker import Completed, best_worker
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
        self.messages: list[bytes] = []
        self.expected: list[bytes] = []

    def start(self) -> None:
        self._worker.start()

    def exchange(self, message: bytes, seconds: float) -> Completed:
        self.stages.append(message.partition(b"\n")[0].decode())
        self.messages.append(message)
        return self._worker.exchange(message, seconds)

    def expect(self, message: bytes) -> None:
        self.expected.append(message)

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


def test_what_is_prepared_is_begun_before_anything_is_asked(checkers: list[Path]) -> None:
    worker = Noting()
    with Judge(worker) as judge:
        judge.prepare(checkers[0], 1)
        deadline = time.monotonic() + 60
        while "pose" not in worker.stages and time.monotonic() < deadline:
            time.sleep(0.01)
        assert "pose" in worker.stages


TWO = """
import numpy as np
answers = ["dx", "dw"]
def sample(rng):
    return dict(zip("xw", rng.standard_normal((2, rng.integers(3, 8)))))
def forward(x, w):
    return {"y": np.abs(x) * np.abs(w)}
"""


def test_answers_with_pieces_share_the_making_of_their_many_problems(tmp_path: Path) -> None:
    checker = tmp_path / "two.py"
    checker.write_text(TWO, "utf-8")
    answers = {"dx": "dy * np.sign(x) * abs(w)", "dw": "dy * np.sign(w) * abs(x)"}
    worker = Noting()
    with Judge(worker) as judge:
        assert judge.names(checker, 1, answers) == ("dx", "dw")
        judged = judge.judge(checker, answers, 1)
    assert isinstance(judged, Judgement)
    assert judged.verdict is Verdict.CORRECT
    assert worker.stages.count("confirm") == 1


def test_processes_expect_answers_to_what_is_prepared(checkers: list[Path]) -> None:
    worker = Noting()
    with Judge(worker) as judge:
        judge.prepare(checkers[0], 1)
        deadline = time.monotonic() + 30
        while not worker.expected and time.monotonic() < deadline:
            time.sleep(0.01)
        assert verdict(judge, checkers[0], "np.abs(2 * dy)") is Verdict.WRONG
    (expected,) = unpack(EvaluateCases, worker.expected[0].partition(b"\n")[2]).cases
    sent = next(each for each in worker.messages if b"np.abs(2 * dy)" in each)
    answer = unpack(Evaluate, sent.partition(b"\n")[2])
    for what in ("instances", "tied", "further", "many", "samples"):
        assert getattr(answer, what) is getattr(expected, what)


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


@pytest.mark.slow
def test_a_time_out_is_not_kept(checkers: list[Path]) -> None:
    checkers[0].write_text("seconds = 0.4\n" + checkers[0].read_text("utf-8"), "utf-8")
    worker = Noting()
    with Judge(worker, kept=2, verdicts=8) as judge:
        assert verdict(judge, checkers[0], LOOP) is Verdict.INVALID
        before = len(worker.stages)
        assert verdict(judge, checkers[0], LOOP) is Verdict.INVALID
        assert len(worker.stages) == before + 1
