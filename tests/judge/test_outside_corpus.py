"""Answers from outside sources: what autograd calls right is accepted, all else is rejected."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from corpus.outside_answers import CHECKERS, OUTSIDE, answers, draw, value
from corpus.outside_judging import tally, verdicts

from quizzer.checker import SERVICE
from quizzer.checker.remote import RemoteChecker
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.sandbox.worker import Worker, best_worker

DRAWS = 30
SEED = 1
"""`benchmarks/checking.py` judges the same answers on many more."""

each_checker = pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    started = best_worker(SERVICE)
    yield started
    started.close()


def test_the_outside_corpus_is_large_and_was_begun_without_sight_of_the_reader() -> None:
    found = [answer for path in CHECKERS for answer in answers(path)]
    unseen = [answer for answer in found if answer.table.parent == OUTSIDE / "unseen"]
    ours = {path.stem for path in OUTSIDE.parent.glob("*/*.py")}
    assert len(CHECKERS) >= 80
    assert not ours & {path.stem for path in CHECKERS}
    assert len(found) >= 1600
    assert len(unseen) >= 400
    assert sum(not answer.right for answer in found) >= 700
    assert all("Source: " in path.read_text("utf-8").splitlines()[0] for path in CHECKERS)


@each_checker
@pytest.mark.filterwarnings("ignore")
def test_autograd_proves_what_is_right_and_what_is_wrong(path: Path) -> None:
    draws = [draw(path, seed) for seed in range(DRAWS)]
    for answer in answers(path):
        given = [value(answer.text, answer.asked, each.names) for each in draws]
        meant = [value(answer.meaning, answer.asked, each.names) for each in draws]
        off = 0
        for each, as_typed, as_meant in zip(draws, given, meant, strict=True):
            assert as_meant is not None, answer
            assert as_typed is None or _same(as_typed, as_meant), answer
            truth = each.truths[answer.asked]
            with_upstream = truth if each.upstream is None else each.upstream * truth
            off += not (_same(as_meant, truth) or _same(as_meant, with_upstream))
        assert (off == 0) == answer.right, f"{answer}: off on {off} of {DRAWS} draws"


@pytest.mark.slow
@each_checker
def test_right_answers_are_never_called_wrong_and_wrong_ones_never_right(
    worker: Worker, path: Path
) -> None:
    assert list(tally(worker, path, [SEED]).failures) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", CHECKERS[::8], ids=lambda path: path.stem)
def test_the_judge_gives_an_answer_alone_the_verdict_that_it_has_among_many(
    judge: Judge, worker: Worker, path: Path
) -> None:
    checker = RemoteChecker(worker, path.name, path.read_text("utf-8"), 30.0)
    for answer, among_many in list(verdicts(checker, path, SEED))[::7]:
        judgement = judge.judge(path, {answer.asked: answer.text}, SEED)
        assert isinstance(judgement, Judgement)
        (alone,) = judgement.answers
        assert alone.verdict is among_many.verdict, answer


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Equal but for rounding."""
    if one.shape != other.shape:
        return False
    return bool(np.abs(one - other).max(initial=0) <= 1e-9 * np.abs(other).max(initial=0) + 1e-12)
