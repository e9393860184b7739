"""LaTeX answers for arrays of three axes, which have no indices."""

from pathlib import Path

import pytest
from workers import InThisProcess

from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

LAYER = """
answers = ["dx"]
def sample(rng):
    n, c, t = rng.choice([2, 3, 4, 5], size=3, replace=False)
    return {"x": rng.standard_normal((n, c, t)), "b": rng.standard_normal(c)}
def forward(x, b):
    return {"y": 2 * x + b[:, None]}
"""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"2 \, \partial L / \partial \mathsf{y}", Verdict.CORRECT),
        (r"\mathsf{dy} + \delta", Verdict.CORRECT),
        (r"\mathsf{dy} \odot \mathsf{x}", Verdict.WRONG),
    ],
)
def test_an_answer_that_may_have_pieces_is_read_the_same_on_many_problems(
    tmp_path: Path, text: str, verdict: Verdict
) -> None:
    checker = tmp_path / "layer.py"
    checker.write_text(LAYER, "utf-8")
    with Judge(InThisProcess()) as judge:
        judged = judge.judge(checker, {"dx": text}, 1)
    assert isinstance(judged, Judgement)
    (answer,) = judged.answers
    assert (answer.verdict, answer.notation) == (verdict, "matrix")
