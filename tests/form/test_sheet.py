from random import Random

from form.sheets import SIGMOID, card_in, problems_in, sheet_in

from quizzer.form.sheet import sheet_of_own
from quizzer.form.slips import slips

OWN = """y_i = 1/(1 + exp(-x_i))
so ∂y_i/∂x_j = [i=j] y_i (1 - y_i)
dx_j = Σ_i δ_i [i=j] y_i (1 - y_i) = Σ_i δ_i [i=j] (y_i - y_i^2)
= δ_j y_j (1 - y_j)"""


def test_the_lines_of_a_sheet_are_the_steps_equations_that_are_right_and_then_the_answer() -> None:
    sheet = sheet_in(SIGMOID)
    assert [sheet.shown(place) for place in range(len(sheet.lines))] == [
        r"\frac{\partial y_i}{\partial x_j} = [i = j] \, y_i (1 - y_i)",
        r"\frac{\partial L}{\partial x_j} = \sum_i \delta_i \, [i = j] \, y_i (1 - y_i)",
        r"= \delta_j \, y_j (1 - y_j)",
    ]


def test_a_line_knows_its_step() -> None:
    assert [line.step for line in sheet_in(SIGMOID).lines] == [0, 2, 2]


def test_where_the_solution_has_too_few_lines_the_checkers_answers_follow() -> None:
    short = SIGMOID.replace(r"$\frac{\partial y_i}{\partial x_j} = [i = j] \, y_i (1 - y_i)$", "so")
    sheet = sheet_in(short)
    assert [line.is_latex for line in sheet.lines] == [True, True, False]
    assert sheet.lines[-1].whole == "dx_i = dy_i y_i (1 - y_i)"


def test_a_definition_stays_only_if_a_line_uses_it() -> None:
    first = r"1. The slope is a product, $g_i = 1 - y_i$, $q_i = 2 y_i$."
    used = SIGMOID.replace("1. The slope is a product", first + " Then").replace(
        r"\sum_i \delta_i \, [i = j] \, y_i (1 - y_i)", r"\delta_j \, y_j g_j"
    )
    sheet = sheet_in(used)
    assert [line.left for line in sheet.lines if line.defines] == ["g_i"]
    assert all(each.is_all_right for each in problems_in(used).judged_on_each(sheet.text))


def test_the_lines_of_a_learners_derivation_make_a_sheet_of_which_slips_are_made() -> None:
    problems = problems_in(SIGMOID)
    sheet = sheet_of_own(OWN, card_in(SIGMOID), problems)
    assert sheet.is_learners
    assert [line.right for line in sheet.lines][-3:] == [
        "Σ_i δ_i [i=j] y_i (1 - y_i)",
        "Σ_i δ_i [i=j] (y_i - y_i^2)",
        "δ_j y_j (1 - y_j)",
    ]
    assert [line.statement for line in sheet.lines][-3:] == [3, 3, 3]
    assert next(slips(sheet, problems, Random(0)))


def test_a_line_of_a_learner_that_is_wrong_after_all_is_left_out() -> None:
    wrong = OWN.replace("(y_i - y_i^2)", "(y_i + y_i^2)")
    sheet = sheet_of_own(wrong, card_in(SIGMOID), problems_in(SIGMOID))
    assert "Σ_i δ_i [i=j] (y_i + y_i^2)" not in [line.right for line in sheet.lines]
