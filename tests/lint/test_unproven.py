"""A forward that is the card's own formula is proven by another formula of the card, or told."""

from pathlib import Path

import pytest

from quizzer.card import parse
from quizzer.checker.flaw import Flaw
from quizzer.judge.judges import Judge
from quizzer.lint.proof import prove

CARD = r"""---
id: cube
---

# Question
$$ y_i = x_i^3 $$

| symbol | typed | shape |
|---|---|---|
| $x_i$ | `x` | $D$ |
| $\delta_i$ | `dy` | $D$ |

Find $\frac{\partial L}{\partial x_i}$ (`dx`).

---
# Solution
**Short Answer:** $$ \frac{\partial L}{\partial x_i} = 3 \delta_i x_i^2 $$
"""
QUESTION, ANSWER = 6, 17


@pytest.fixture(scope="module")
def judge() -> object:
    with Judge() as judge:
        yield judge


def found(folder: Path, judge: Judge, checker: str, old: str = "", new: str = "") -> list[Flaw]:
    assert old in CARD
    path = folder / "cube.md"
    path.write_text(CARD.replace(old, new) if old else CARD, "utf-8")
    file = folder / "cube.checker"
    file.write_text(checker, "utf-8")
    return prove(judge, file, 5, 4, card=parse(path.read_bytes(), path).card)


def test_a_forward_from_the_question_is_proven_by_the_short_answer(
    tmp_path: Path, judge: Judge
) -> None:
    assert found(tmp_path, judge, "ask dx\n") == []


def test_or_by_a_right_answer_of_the_checker(tmp_path: Path, judge: Judge) -> None:
    flaws = found(tmp_path, judge, "right dx_i = 3 dy_i x_i^2\n", "$$ \\frac{", "as usual, \\frac{")
    assert flaws == []


def test_a_slip_in_either_formula_names_both(tmp_path: Path, judge: Judge) -> None:
    flaws = found(tmp_path, judge, "ask dx\n", "x_i^3", "x_i^2")
    (flaw,) = [each for each in flaws if each.code == "unproven"]
    assert f"(line {QUESTION})" in flaw.message and f"(line {ANSWER})" in flaw.message
    assert (flaw.line, flaw.in_card, flaw.error) == (ANSWER, True, False)
    assert "`ignore: unproven`" in flaw.message


def test_so_does_a_short_answer_without_a_formula(tmp_path: Path, judge: Judge) -> None:
    flaws = found(tmp_path, judge, "ask dx\n", r"$$ \frac{\partial L}{\partial x_i} =", "it is $$")
    (flaw,) = [each for each in flaws if each.code == "unproven"]
    assert "no formula of the Short Answer" in flaw.message


def test_a_forward_that_the_checker_writes_itself_needs_no_such_proof(
    tmp_path: Path, judge: Judge
) -> None:
    flaws = found(tmp_path, judge, "y_i = x_i^3\n", r"$$ \frac{\partial L}{\partial x_i} =", "$$")
    assert "unproven" not in [flaw.code for flaw in flaws]


def test_lines_that_cannot_be_read_do_not_keep_the_others_from_being_proven(
    tmp_path: Path, judge: Judge
) -> None:
    text = "q_i = foo(x_i)\ny_i = x_i^3\nwrong dx_i = 3 dy_i x_i^2 -- It is right.\nhint\n"
    flaws = found(tmp_path, judge, text)
    assert [(flaw.code, flaw.line) for flaw in flaws] == [
        ("declaration", 1),
        ("declaration", 4),
        ("wrong-accepted", 3),
    ]
