"""Twenty cards as students write them, with checkers of at most ten lines: `corpus/authoring`."""

import json
from pathlib import Path

import pytest

from quizzer.judge.judgement import Judgement, Question
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

TWENTY = Path(__file__).parents[1] / "corpus" / "authoring" / "twenty"
STEMS = sorted(path.stem for path in TWENTY.glob("*.md"))


@pytest.mark.parametrize("stem", STEMS)
def test_the_right_answers_are_right_and_the_students_mistakes_wrong(
    judge_here: Judge, stem: str
) -> None:
    checker = TWENTY / f"{stem}.checker"
    question = judge_here.question(checker)
    assert isinstance(question, Question)
    truth = json.loads((TWENTY / f"{stem}.truth.json").read_text("utf-8"))
    for asked, name in zip(question.asked, truth["asked"], strict=True):
        right, wrong = truth["answers"][name], truth["wrong"][name][0]
        for text, expected in ((right, Verdict.CORRECT), (wrong, Verdict.WRONG)):
            judgement = judge_here.judge(checker, {asked.name: text}, 1)
            assert isinstance(judgement, Judgement), judgement
            (answer,) = judgement.answers
            assert answer.verdict is expected, (text, answer.message)


def test_no_checker_has_more_than_ten_lines() -> None:
    checkers = [path.with_suffix(".checker") for path in TWENTY.glob("*.md")]
    lines = {path.stem: path.read_text("utf-8").split("\n") for path in checkers}
    long = {
        stem: len(found)
        for stem, found in lines.items()
        if len(list(filter(str.strip, found))) > 10
    }
    assert len(lines) == 20
    assert long == {}
