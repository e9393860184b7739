import pytest
from form.sheets import SIGMOID, problems_in, sheet_in

from quizzer.form.entering import Entered, entered
from quizzer.values import Verdict


def typed(line: str) -> Entered:
    """What is said of a line in the place of the second."""
    return entered(sheet_in(SIGMOID), 1, line, problems_in(SIGMOID))


@pytest.mark.parametrize(
    "line",
    [
        "sum_i δ_i [i=j] y_i (1 - y_i)",
        "= Σ_i δ_i [i = j] (y_i - y_i^2)",
        "∂L/∂x_j = Σ_i δ_i ∂y_i/∂x_j",
        "dx_k = Σ_i δ_i [i = k] y_i (1 - y_i)",
        "dx = δ ⊙ y ⊙ (1 - y)",
        r"\sum_i δ_i \begin{cases} y_i (1 - y_i) & i = j \\ 0 & \text{otherwise} \end{cases}",
    ],
)
def test_any_right_line_is_right(line: str) -> None:
    assert typed(line).verdict is Verdict.CORRECT


def test_a_wrong_line_is_told_what_is_wrong_with_it() -> None:
    said = typed("-Σ_i δ_i [i=j] y_i (1 - y_i)")
    assert (said.verdict, said.code) == (Verdict.WRONG, "sign")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "Nothing was typed."),
        ("a\nb", "Type one line only."),
        ("delta_j y_j (1 - y_j)", "That is one of the other lines."),
        ("∂L/∂x_j", "Both sides are the same."),
        ("y_i = 1/(1 + exp(-x_i))", "This line is right, but it is not about ∂L/∂xⱼ."),
    ],
)
def test_what_is_no_line_between_the_others_costs_no_try(line: str, message: str) -> None:
    assert typed(line) == Entered(Verdict.INVALID, message)


def test_a_line_that_cannot_be_read_costs_no_try() -> None:
    assert typed("Σ_i δ_i foo(y_i)").verdict is Verdict.INVALID
