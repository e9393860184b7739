"""Derivatives and differentials in lines of a derivation, as learners write them."""

import pytest

from tests.derived import judged, marks

SOFTMAX = """
z: K
y: K simplex
size K: 3..6
p_k = exp(z_k) / (sum_j exp(z_j))
L = -sum_k y_k log(p_k)
ask dL_dz
"""
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
