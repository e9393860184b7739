"""Answers in Python that work out a size themselves, under the letter that the card has for it."""

from pathlib import Path

from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

STRIDES = """
x: D
w: K
s: number 2..3
size D: 6..8; K: 3..5
y[i] = sum_j x[j] w[i-s j]  for i < s (D - 1) + K
need K > s
ask dx
"""
ANSWER = """\
def dx(x, w, s, dy):
    K = len(w)
    return np.array([dy[s*j:s*j+K] @ w for j in range(len(x))])
"""


def test_a_size_that_an_answer_works_out_itself_may_bound_a_slice(
    judge_here: Judge, tmp_path: Path
) -> None:
    checker = tmp_path / "card.checker"
    checker.write_text(STRIDES, "utf-8")
    judged = judge_here.judge(checker, {"dx": ANSWER}, 1)
    assert isinstance(judged, Judgement)
    assert judged.answers[0].verdict is Verdict.CORRECT
