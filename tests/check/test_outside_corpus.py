"""Answers from outside sources: what autograd calls right is accepted, all else is rejected."""

from pathlib import Path

import numpy as np
import pytest
from corpus.outside_answers import CHECKERS, OUTSIDE, Answer, answers, draw, value

from quizzer.check.judgement import Broken
from quizzer.review import Verdict
from quizzer.sandbox.judge import Judge

DRAWS = 30
SEEDS = (1, 2)

each_checker = pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)


def test_the_outside_corpus_is_large_and_a_third_was_written_without_sight_of_the_reader() -> None:
    found = [answer for path in CHECKERS for answer in answers(path)]
    unseen = [answer for answer in found if answer.checker.parent == OUTSIDE / "unseen"]
    ours = {path.stem for path in OUTSIDE.parent.glob("*/*.py")}
    assert len(CHECKERS) >= 45
    assert not ours & {path.stem for path in CHECKERS}
    assert len(found) >= 400
    assert len(unseen) >= len(found) / 3
    assert {answer.written_in for answer in found if answer.right} == {"numpy", "index", "matrix"}
    assert sum(not answer.right for answer in found) >= 200


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
def test_right_answers_are_never_called_wrong_and_wrong_ones_never_right(
    judge: Judge, path: Path
) -> None:
    failed = []
    for seed in SEEDS:
        for answer in answers(path):
            verdict = _verdict(judge, answer, seed)
            if verdict is (Verdict.WRONG if answer.right else Verdict.CORRECT):
                failed.append(f"seed {seed}: {verdict}: {answer}")
            assert verdict is not Verdict.BROKEN, path
    assert not failed, "\n".join(failed)


def _verdict(judge: Judge, answer: Answer, seed: int) -> Verdict:
    judgement = judge.judge(answer.checker, {answer.asked: answer.text}, seed)
    assert not isinstance(judgement, Broken), f"{answer.checker.stem}: {judgement.message}"
    (answered,) = judgement.answers
    return answered.verdict


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Equal but for rounding."""
    if one.shape != other.shape:
        return False
    return bool(np.abs(one - other).max(initial=0) <= 1e-9 * np.abs(other).max(initial=0) + 1e-12)
