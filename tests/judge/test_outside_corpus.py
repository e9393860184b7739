"""Answers from outside sources: what autograd calls right is accepted, all else is rejected."""

from pathlib import Path

import numpy as np
import pytest
from corpus.outside_answers import CHECKERS, OUTSIDE, answers, draw, value
from corpus.outside_judging import SECONDS, suspects, tally, verdicts
from workers import InThisProcess

from quizzer.checker.remote import RemoteChecker
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge

DRAWS = 30
SEED = 1
"""`benchmarks/checking.py --only outside` takes the whole verdict of every answer, on many more."""
IN_FULL = CHECKERS[SEED::4]
"""Whose answers get their whole verdict here."""

each_checker = pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)


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


@each_checker
def test_the_arrays_of_right_answers_are_right_and_of_wrong_ones_wrong(path: Path) -> None:
    assert suspects(here(path), path, SEED) == []


@pytest.mark.parametrize("path", IN_FULL, ids=lambda path: path.stem)
def test_right_answers_are_never_called_wrong_and_wrong_ones_never_right(path: Path) -> None:
    assert list(tally(InThisProcess(), path, [SEED]).failures) == []


@pytest.mark.parametrize("path", IN_FULL[::4], ids=lambda path: path.stem)
def test_the_judge_gives_an_answer_alone_the_verdict_that_it_has_among_many(
    judge: Judge, path: Path
) -> None:
    for answer, among_many in list(verdicts(here(path), path, SEED))[::7]:
        judgement = judge.judge(path, {answer.asked: answer.text}, SEED)
        assert isinstance(judgement, Judgement)
        (alone,) = judgement.answers
        assert alone.verdict is among_many.verdict, answer


def here(path: Path) -> RemoteChecker:
    """The checker, run in this process."""
    return RemoteChecker(InThisProcess(), path.name, path.read_text("utf-8"), SECONDS)


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Equal but for rounding."""
    if one.shape != other.shape:
        return False
    return bool(np.abs(one - other).max(initial=0) <= 1e-9 * np.abs(other).max(initial=0) + 1e-12)
