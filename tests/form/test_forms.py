from random import Random

import pytest
from form.sheets import SIGMOID, card_in, problems_in, sheet_in

from quizzer.form.forms import blanks, find_slip, forms_of, missing_line
from quizzer.form.sheet import Sheet
from quizzer.values import Form


def test_a_solution_of_three_lines_has_all_forms() -> None:
    assert forms_of(card_in(SIGMOID), sheet_in(SIGMOID), problems_in(SIGMOID)) == tuple(Form)


def test_a_solution_of_two_lines_has_neither_a_missing_line_nor_a_slip() -> None:
    whole = sheet_in(SIGMOID)
    short = Sheet(whole.lines[1:], whole.steps)
    assert forms_of(card_in(SIGMOID), short, problems_in(SIGMOID)) == (Form.WORKED, Form.BLANK)


def test_a_worked_solution_takes_two_steps_and_no_proven_line() -> None:
    nothing, problems = Sheet((), ()), problems_in(SIGMOID)
    assert forms_of(card_in(SIGMOID), nothing, problems) == (Form.WORKED, Form.BLANK)
    alone = (
        SIGMOID.partition("2. Somebody")[0] + "\n```checker" + SIGMOID.partition("```checker")[2]
    )
    assert forms_of(card_in(alone), nothing, problems) == (Form.BLANK,)


def test_the_missing_line_is_between_two_others() -> None:
    form = missing_line(sheet_in(SIGMOID), Random(0))
    assert form is not None
    assert blanks(form.sheet) == [1]
    assert [line.endswith(r"= \;?") for line in form.lines] == [False, True, False]


@pytest.mark.parametrize("seed", range(4))
def test_a_slip_changes_its_line_and_those_that_follow_from_it(seed: int) -> None:
    form = find_slip(sheet_in(SIGMOID), problems_in(SIGMOID), Random(seed))
    assert form is not None
    shown = [form.sheet.shown(place) for place in range(len(form.lines))]
    changed = [place for place, line in enumerate(form.lines) if line != shown[place]]
    assert changed == sorted(form.slip.rights)
