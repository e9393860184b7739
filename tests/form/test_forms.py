from random import Random

from form.sheets import SIGMOID, problems_in, sheet_in

from quizzer.form.forms import blanks, find_slip, forms_of, missing_line, worked
from quizzer.form.sheet import Sheet
from quizzer.values import Form


def test_a_solution_of_three_lines_has_all_forms() -> None:
    assert forms_of(sheet_in(SIGMOID), problems_in(SIGMOID)) == tuple(Form)


def test_a_solution_of_two_lines_has_neither_a_missing_line_nor_a_slip() -> None:
    whole = sheet_in(SIGMOID)
    short = Sheet(whole.lines[1:], whole.steps)
    assert forms_of(short, problems_in(SIGMOID)) == (Form.WORKED, Form.BLANK)


def test_without_a_line_there_is_the_blank_page_only() -> None:
    assert forms_of(Sheet((), ("A step.",)), problems_in(SIGMOID)) == (Form.BLANK,)


def test_every_line_belongs_to_one_stage_of_a_worked_solution() -> None:
    form = worked(sheet_in(SIGMOID), problems_in(SIGMOID), Random(0))
    assert form is not None
    assert [stage.places for stage in form.stages] == [(0,), (), (1, 2)]
    assert form.guess is not None
    assert form.guess.slip.kind == "sign"


def test_the_missing_line_is_between_two_others() -> None:
    form = missing_line(sheet_in(SIGMOID), Random(0))
    assert form is not None
    assert blanks(form.sheet) == [1]
    assert [line.endswith("= ?") for line in form.lines] == [False, True, False]


def test_a_slip_changes_one_line_of_what_is_shown() -> None:
    form = find_slip(sheet_in(SIGMOID), problems_in(SIGMOID), Random(0))
    assert form is not None
    shown = [form.sheet.shown(place) for place in range(len(form.lines))]
    changed = [place for place, line in enumerate(form.lines) if line != shown[place]]
    assert changed == [form.slip.place]
