"""Declared checkers through real processes: proven, judged, and never Python."""

from collections.abc import Callable
from pathlib import Path

import pytest

from quizzer.judge.judgement import Broken, Judgement
from quizzer.judge.judges import Judge
from quizzer.lint.proof import prove
from quizzer.sandbox.trust import allows, trust
from quizzer.values import Verdict

DECK = Path(__file__).parent.parent / "decks/declared"
SEED = 7

Written = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def written(text: str) -> Path:
        path = tmp_path / "card.checker"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def verdict(judge: Judge, checker: Path, name: str, text: str) -> Verdict:
    judged = judge.judge(checker, {name: text}, SEED)
    assert isinstance(judged, Judgement), judged
    return judged.answers[0].verdict


@pytest.mark.parametrize("name", ["attention.checker", "lstm_step.md", "multiclass_hinge.md"])
def test_the_examples_have_no_flaw(judge: Judge, name: str) -> None:
    assert prove(judge, DECK / name, 5) == []


def test_a_fence_judges_as_a_python_file_does(judge: Judge) -> None:
    checker = DECK / "max_pooling.md"
    right = "dx[i,j] = sum(k,l) df[k,l] [2k<=i<2k+2] [2l<=j<2l+2] [x[i,j]=f[k,l]]"
    assert verdict(judge, checker, "dx", right) is Verdict.CORRECT
    judged = judge.judge(checker, {"dx": right.replace(" [x[i,j]=f[k,l]]", "")}, SEED)
    assert isinstance(judged, Judgement)
    assert judged.answers[0].message.startswith("Every cell of the window gets the upstream.")
    average = judge.judge(checker, {"dx": "np.kron(df, np.ones((2, 2))) / 4"}, SEED)
    assert isinstance(average, Judgement)
    assert average.answers[0].message.startswith("This is the gradient of average pooling.")


def test_a_missing_summand_of_the_right_answer_is_told(judge: Judge, written: Written) -> None:
    checker = written(
        "a, b: N\nL = sum_n (a_n b_n + a_n^2)\nask dL_da\nright dL_da_n = b_n + 2 a_n"
    )
    judged = judge.judge(checker, {"dL_da": "dL_da_n = 2 a_n"}, SEED)
    assert isinstance(judged, Judgement)
    assert judged.answers[0].message == "A term is missing: the one with b."


def test_the_pieces_of_a_formula_are_branches_with_its_line(judge: Judge, written: Written) -> None:
    scouted = judge.checker(written("x: N\ny = 2 x\nL = sum_n max(x_n, 0) y_n")).branches()
    assert any(name.startswith("maximum in line 3 (one)") for name in scouted.branches)


def test_a_tie_is_found_in_a_formula(judge: Judge, written: Written) -> None:
    checker = written("x: N\ny_n = max(x_n, 0)\nties yes\nask dx")
    assert verdict(judge, checker, "dx", "dx_n = dy_n [x_n > 0]") is Verdict.CORRECT
    assert verdict(judge, checker, "dx", "dx_n = dy_n ([x_n > 0] + 2 [x_n = 0])") is Verdict.WRONG


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("x: N\ny = 2 x\nask dx\nright dx = dy", "right-rejected", 4),
        ("x: N\ny = 2 x\nask dx\nwrong dx = 2 dy -- The factor is lost.", "wrong-accepted", 4),
        ("x: N\ny = 2 x\nrihgt dx = 2 dy", "declaration", 3),
        ("x: N\ny = 2 z", "declaration", 2),
        ("x: N\ny = 2 x\nask dx\nright dx = np.multiply(dy, 2)", "right-rejected", 4),
        ("x: N\ny = 2 x\nask dx\nwrong dx = dy.sum() -- Summed.", "wrong-invalid", 4),
        ("x: N\ny = 2 x\nask dx\nvariant y = x + x -- Same.", "variant-same", 4),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    judge: Judge, written: Written, text: str, code: str, line: int
) -> None:
    (flaw,) = prove(judge, written(text), 5)
    assert (flaw.code, flaw.line) == (code, line), flaw


def test_a_card_whose_declaration_cannot_be_read_is_broken_and_no_more(
    judge: Judge, written: Written
) -> None:
    asked = judge.question(written("x: N\ny = 2 z"))
    assert isinstance(asked, Broken)
    assert "line 2: in `y = 2 z`: z is not a known name" in asked.message


def test_a_declared_checker_needs_no_trust_but_answers_in_numpy_do(
    written: Written, tmp_path: Path
) -> None:
    record = tmp_path / "trusted"
    checker = written("x: N\ny = 2 x\nask dx")
    with Judge(allows=lambda file, source: allows(file, source, record)) as judge:
        assert verdict(judge, checker, "dx", "dx_n = 2 dy_n") is Verdict.CORRECT
        assert verdict(judge, checker, "dx", "dy + dy") is Verdict.CORRECT  # on paper, too
        refused = judge.judge(checker, {"dx": "np.add(dy, dy)"}, SEED)
        assert isinstance(refused, Judgement)
        assert refused.answers[0].verdict is Verdict.INVALID
        assert "quizzer trust" in refused.answers[0].message
        trust([checker], record)
        assert verdict(judge, checker, "dx", "np.add(dy, dy)") is Verdict.CORRECT


def test_an_endless_recurrence_is_stopped(judge: Judge, written: Written) -> None:
    asked = judge.question(written("x: N\nh[t] = h[t-1] + x[0]  for t < 9999\nask dh_dx"))
    assert isinstance(asked, Broken)
    assert "9,999 steps are more than 1,000" in asked.message


def test_an_intermediate_may_be_asked_and_used_in_what_is_asked_later(
    judge: Judge, written: Written
) -> None:
    checker = written(
        "x: N\nm: K\np_{nk} = exp(-(x_n - m_k)^2)\nr_{nk} = p_{nk} / (sum_j p_{nj})\n"
        "c_k = sum_n r_{nk} x_n\nask r\nask c"
    )
    assert verdict(judge, checker, "r", "r_nk = p_nk / (sum_j p_nj)") is Verdict.CORRECT
    assert verdict(judge, checker, "r", "r_nk = p_nk") is Verdict.WRONG
    assert verdict(judge, checker, "r", "r_nk = r_nk") is Verdict.INVALID
    assert verdict(judge, checker, "c", "c_k = sum_n r_nk x_n") is Verdict.CORRECT
    assert verdict(judge, checker, "c", "c_k = sum_n p_nk x_n") is Verdict.WRONG
