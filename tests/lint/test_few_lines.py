"""A card whose solution gives too few lines for a slip or a missing line."""

from pathlib import Path

import pytest
from form.sheets import SIGMOID

from quizzer.card import parse
from quizzer.judge.judges import Judge
from quizzer.lint.proof import Proof, prove_card
from quizzer.values import Form

STEPS, CHECKER = SIGMOID.index("### Steps"), SIGMOID.index("```checker")
TEXT = """### Steps
1. The slope of a gate is small where it is nearly open, and where it is nearly closed.
2. So is the message.
"""


def proof(judge: Judge, folder: Path, text: str) -> Proof:
    path = folder / "gate.md"
    path.write_text(text, "utf-8")
    card = parse(text.encode(), path).card
    assert card
    found = prove_card(judge, path, 5, card=card)
    assert not found.flaws or {flaw.code for flaw in found.flaws} == {"wrong-step"}
    return found


def with_steps(steps: str) -> str:
    return f"{SIGMOID[:STEPS]}{steps}\n{SIGMOID[CHECKER:]}"


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        (SIGMOID, None),
        (with_steps(TEXT), (Form.WORKED, Form.BLANK)),
        (with_steps("That is all."), (Form.BLANK,)),
    ],
    ids=["enough", "words", "no steps"],
)
def test_the_forms_that_are_left_are_known_from_the_lines_alone(
    judge: Judge, tmp_path: Path, text: str, forms: tuple[Form, ...] | None
) -> None:
    assert proof(judge, tmp_path, text).few_lines == forms


def test_lines_outside_of_the_steps_do_not_count_as_no_form_shows_them(
    judge: Judge, tmp_path: Path
) -> None:
    lines = SIGMOID[STEPS:CHECKER].partition("\n")[2]
    explained = with_steps(f"{TEXT}\n## Explanation\n{lines}")
    assert proof(judge, tmp_path, explained).few_lines == (Form.WORKED, Form.BLANK)


def test_the_right_answers_of_the_checker_count_where_the_solution_gives_too_few(
    judge: Judge, tmp_path: Path
) -> None:
    more = "right dx_i = dy_i (1 - y_i) y_i\nright dx_i = y_i dy_i (1 - y_i)\n```\n"
    text = with_steps(TEXT).replace("```\n", more)
    assert proof(judge, tmp_path, text).few_lines is None
