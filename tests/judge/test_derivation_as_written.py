"""Derivatives and differentials in lines of a derivation, as learners write them."""

import pytest

from quizzer.checker.derivation import slopes
from quizzer.judge.derivation import Mark
from quizzer.judge.judges import Judge
from tests.derived import SOFTMAX, card_of, judged, marks, posed

LINEAR = """
x: I
W: O × I
y = W x
ask dW, dx
"""
ROWS = """
z: N × K
size N: 2..4; K: 3..5
y_{nk} = z_{nk} - log(sum_j exp(z_{nj}))
ask dz
"""
NORMAL = """
X: N × D
size N: 5..8; D: 2..3
mu_hat[i] = 1/N sum_n X[n,i]
C_hat[i,j] = 1/N sum_n (X[n,i] - mu_hat[i]) (X[n,j] - mu_hat[j])
ask mu_hat, C_hat
"""


@pytest.mark.parametrize(
    "left",
    [
        r"\frac{\partial \log p_k}{\partial z_j}",
        r"\frac{\partial}{\partial z_j} \log p_k",
        r"\frac{d}{d z_j} \log p_k",
        r"\frac{\partial (\log p_k)}{\partial z_j}",
        "∂ log p_k/∂z_j",
        "∂ log(p_k) / ∂z_j",
        "∂(log p_k)/∂z_j",
        "d/dz_j log p_k",
    ],
)
def test_an_expression_may_be_differentiated(left: str) -> None:
    assert marks(SOFTMAX, f"{left} = [k = j] - p_j") == ["right"]
    assert marks(SOFTMAX, f"{left} = [k = j] - p_k") == ["wrong"]


def test_an_expression_may_be_differentiated_in_the_middle_of_a_line() -> None:
    text = "∂L/∂z_j = -Σ_k y_k ∂ log p_k/∂z_j\n= -Σ_k y_k ([k = j] - p_j)"
    assert marks(SOFTMAX, text) == ["right", "right"]
    assert marks(SOFTMAX, text.replace("-Σ", "Σ", 1)) == ["wrong", "right-again"]


def test_a_differential_may_have_a_space_behind_its_d() -> None:
    assert marks(LINEAR, r"d y = (d W) \, x + W \, d x") == ["right"]
    assert marks(LINEAR, r"d y = (d W) \, x - W \, d x") == ["wrong"]
    assert marks(LINEAR, r"d y_i = \sum_j d W_{ij} x_j + \sum_j W_{ij} \, d x_j") == ["right"]


@pytest.mark.parametrize("line", ["∂y_j/∂z_k = [j = k] - 1", "dz = ∂y/∂z_k + w", "dz = ∂y/∂z z"])
def test_what_is_not_read_is_told_in_the_names_of_the_text(line: str) -> None:
    (found,) = judged(ROWS, line).lines
    assert found.mark == "unread"
    assert "ꞏ" not in found.message


def test_an_array_with_too_few_indices_is_told_how_many_it_has() -> None:
    (found,) = judged(ROWS, "∂y_j/∂z_k = [j = k] - 1").lines
    assert found.message == (
        "Line 1 was not judged: The left side has 4 axes: write one letter for each."
    )


def test_variables_whose_differentials_are_never_in_one_line_move_alone() -> None:
    apart = "dL = δ^T dW x\n⇒ ∂L/∂W = δ x^T\ndL = δ^T W dx\n⇒ ∂L/∂x = W^T δ"
    assert marks(LINEAR, apart) == ["right", "right", "right", "right"]
    assert marks(LINEAR, apart.replace("δ^T dW x", "δ^T dW x + δ^T dW x"))[0] == "wrong"
    assert marks(LINEAR, "dy = dW x + W dx\ndL = δ^T dW x") == ["right", "wrong"]
    assert marks(LINEAR, "dy = dW x\ndL = δ^T dy = δ^T dW x") == ["right", "right", "right"]


def test_a_line_with_an_estimate_is_about_that_point() -> None:
    text = """ℓ(μ, C) = -(N/2) log(det(C)) - (1/2) Σ_n (x_n - μ)^T C^{-1} (x_n - μ)
S = Σ_n (x_n - μ_hat) (x_n - μ_hat)^T
∂ℓ/∂C = -(N/2) C^{-1} + (1/2) C^{-1} S C^{-1}"""
    assert marks(NORMAL, text) == ["defines", "defines", "right"]
    assert marks(NORMAL, text.replace("+ (1/2)", "+"))[2] == "wrong"
    assert marks(NORMAL, text.replace("S =", "S = (1/N)"))[2] == "wrong"
    assert marks(NORMAL, text.replace("μ_hat", "μ")) == ["defines", "defines", "right"]


def test_a_line_is_right_where_its_checker_accepts_another_answer(judge_here: Judge) -> None:
    text = "b[i] = sum_j inv(S)[i,j] (v[j] - u[j])\nw[i] = b[i] / sqrt(sum_j b[j]^2)"

    def last(text: str) -> Mark:
        return judge_here.lines(card_of("fisher_direction"), text, 3)[-1].mark

    assert last(text) is Mark.RIGHT
    assert last(text.replace("v[j] - u[j]", "u[j] - v[j]")) is Mark.RIGHT
    assert last(text.replace("v[j] - u[j]", "v[j] + u[j]")) is Mark.WRONG


def test_a_name_for_a_function_of_one_value_is_not_moved_without_it() -> None:
    declared = """
s: N in (-1, 3)
y: N mask
c: N in (0.25, 1)
size N: 4..8
R_n = (1 + exp(s_n))^{-1/2}
L = -sum_n c_n (y_n log(R_n) + (1 - y_n) log(1 - R_n))
ask dL_ds
"""
    text = "r_n = log(R_n)\n∂L/∂r_n = c_n (R_n - y_n) / (1 - R_n)"
    assert marks(declared, text) == ["defines", "unread"]
    assert marks(declared, text.replace("= c_n", "= 2 c_n")) == ["defines", "wrong"]


def test_an_asked_derivative_is_not_worked_out_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = "x: I\nW: O × I\ny = 3 W x\nask dW, dx"
    posed(declared)
    monkeypatch.setattr(slopes, "certified", None)
    assert marks(declared, "∂L/∂W = 3 δ x^T\n∂L/∂x = 3 W^T δ") == ["right", "right"]


def test_a_derivative_may_be_written_as_one_name() -> None:
    assert marks(SOFTMAX, "dp_dz[k,j] = p[k] ([k=j] - p[j])") == ["right"]
    assert marks(SOFTMAX, "dp_dz[k,j] = p[k] ([k=j] + p[j])") == ["wrong"]
