"""Answers of several writers to one name: judged in one message, as if each were alone."""

import random
from pathlib import Path

import pytest
from workers import InThisProcess

from quizzer.judge.judgement import Broken, Judgement
from quizzer.judge.judges import Judge
from quizzer.sandbox.worker import Completed
from quizzer.values import Verdict

LAYER = """
import numpy as np
answers = ["dx", "dw"]
wrong = {"dx": {"The weights are missing.": "np.outer(dy, np.ones_like(w))"}}
def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, m)), "w": rng.standard_normal(m)}
def forward(x, w):
    return {"y": np.tanh(x @ w)}
"""
FORMULAS = (
    "np.outer(dy * (1 - y**2), w)",
    "dx_ij = dy_i (1 - y_i^2) w_j",
    "(dy \\odot (1 - y^2)) w^\\top",
    "s = 1 - y**2\nnp.outer(dy * s, w)",
    "np.outer(dy, np.ones_like(w))",
    "-np.outer(dy * (1 - y**2), w)",
    "np.outer(dy * (1 - np.tanh(y)**2), w)",
    "np.outer(dy**2 + 1, w)",
    "np.outer(dy * np.where(y > 2, 0, 1 - y**2), w)",
    "np.outer(np.abs(dy), w)",
)
ALONE = (
    "def dx(dy, y, w):\n    return np.outer(dy * (1 - y**2), w)",
    "def dx(dy, y, w):\n    w[:] = 0\n    y[:] = 0\n    return dy",
    "def dx(w):\n    np.outer.__globals__['asarray'] = None\n    return w",
    "w *= 2\nnp.outer(dy * (1 - y**2), w)",
    "np.outer(np.multiply(dy, 1 - y**2, where=True), w)",
    "np.outer(dy, q)",
    "np.outer(dy / 0, w)",
    "dy +",
    "",
)


class Shared(InThisProcess):
    """Notes the stages it runs and the texts that share a message; can fail on those."""

    def __init__(self, fails: bool = False) -> None:
        self.stages: list[str] = []
        self.together = 0
        self._fails = fails

    def exchange(self, message: bytes, seconds: float) -> Completed:
        self.stages.append(message.partition(b"\n")[0].decode())
        if b'"together": true' in message:
            self.together += 1
            if self._fails:
                return Completed(b"", b"", None)
        return super().exchange(message, seconds)


@pytest.fixture
def checker(tmp_path: Path) -> Path:
    path = tmp_path / "layer.py"
    path.write_text(LAYER, "utf-8")
    return path


def alone(judge: Judge, checker: Path, text: str) -> Judgement | Broken:
    return judge.judge(checker, {"dx": text}, 1)


@pytest.mark.parametrize("order", range(3))
def test_answers_together_get_the_verdicts_that_each_gets_alone(checker: Path, order: int) -> None:
    texts = [text for text in (*FORMULAS, *ALONE) if "__globals__" not in text]
    random.Random(order).shuffle(texts)
    with Judge(Shared()) as one, Judge(Shared(), verdicts=64) as many:
        many.judge_together(checker, "dx", texts, 1, None)
        found = {text: alone(many, checker, text) for text in texts}
        assert found == {text: alone(one, checker, text) for text in texts}
    verdicts = {each.verdict for each in found.values() if isinstance(each, Judgement)}
    assert verdicts == {Verdict.CORRECT, Verdict.WRONG, Verdict.INVALID}


def test_formulas_share_their_messages_and_need_no_other(checker: Path) -> None:
    worker = Shared()
    with Judge(worker, verdicts=64) as judge:
        alone(judge, checker, FORMULAS[4])  # prepares what all need
        before = worker.stages.count("evaluate")
        judge.judge_together(checker, "dx", FORMULAS, 1, None)
        assert worker.together == 2  # all of them, and the wrong ones that are probed
        # The one with pieces that is right so far is evaluated on many more problems.
        assert worker.stages.count("evaluate") == before + 3
        after = len(worker.stages)
        for text in FORMULAS:
            alone(judge, checker, text)
        assert len(worker.stages) == after


@pytest.mark.parametrize("text", ALONE[:-1])
def test_what_is_no_formula_or_fails_is_evaluated_alone(checker: Path, text: str) -> None:
    worker = Shared()
    with Judge(worker, verdicts=64) as judge:
        judge.judge_together(checker, "dx", [FORMULAS[0], text], 1, None)
        assert worker.together == 1
        before = len(worker.stages)
        alone(judge, checker, FORMULAS[0])
        assert len(worker.stages) == before
        if "__globals__" not in text:  # which would be the end of this process
            alone(judge, checker, text)
            assert len(worker.stages) > before


def test_where_a_message_for_several_times_out_each_is_judged_alone(checker: Path) -> None:
    worker = Shared(fails=True)
    with Judge(Shared()) as one, Judge(worker, verdicts=64) as many:
        many.judge_together(checker, "dx", FORMULAS, 1, None)
        for text in FORMULAS:
            assert alone(many, checker, text) == alone(one, checker, text)
    assert worker.together


def test_a_broken_checker_is_told_when_each_answer_is_judged(checker: Path) -> None:
    checker.write_text(LAYER.replace("x @ w", "x @ q"), "utf-8")
    with Judge(Shared(), verdicts=64) as judge:
        judge.judge_together(checker, "dx", FORMULAS, 1, None)
        assert isinstance(alone(judge, checker, FORMULAS[0]), Broken)
