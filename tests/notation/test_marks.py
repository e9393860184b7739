"""Marks on letters: what is cut, what is not, and what must not be let through."""

import numpy as np
import pytest
from forwards import FORWARDS, worth

from quizzer.notation import Context, Invalid, Reading, read


@pytest.mark.parametrize(
    ("forward", "asked", "text"),
    [
        ("linear", "dx", r"dx_j = \sum_kW_{kj}\delta_k"),
        ("linear", "dx", "dx_j = Σ_kδ_kW_{kj}"),
        ("linear", "dx", r"\sum_k\delta_kW_{kj}"),
        ("linear", "dW", "dW_kj = δ_kx_j"),
        ("linear", "dW", "dW_kj = dy_kx_j"),
        ("batched", "dW", r"(X^\top dY)_{ij}"),
        ("batched", "dX", r"\left( dY W^\top \right)_{ni}"),
        ("batched", "dc", r"(dY \mathbf{1})_n"),
        ("sigmoid", "dx", r"dx_i = dy_i \sqrt[3]{y_i^3} (1 - y_i)"),
        ("sigmoid", "dx", r"dx_i = dy_i \sqrt[2]{y_i^2} (1 - y_i)"),
        ("cross_entropy", "dp_dz", "diag(p(1 - p)) - p p^T + diag(p ⊙ p)"),
        ("cross_entropy", "dp_dz", "p_i(1 - p_i) if i = j else -p_ip_j"),
    ],
)
def test_marks_are_read(forward: str, asked: str, text: str) -> None:
    assert worth(FORWARDS[forward], asked, text, 0) == "right"


@pytest.mark.parametrize(
    ("forward", "asked", "text"),
    [
        ("linear", "dx", r"dx_j = \sum_kW_{kj}"),
        ("linear", "dW", "dW_kj = δ_kx_j + x_j"),
        ("batched", "dW", r"2 (X^\top dY)_{ij}"),
        ("sigmoid", "dx", r"dx_i = dy_i \sqrt[4]{y_i^2} (1 - y_i)"),
        ("cross_entropy", "dp_dz", "diag(p(1 - p))"),
        ("cross_entropy", "dp_dz", "diag(p(1 + p)) - p p^T"),
        ("cross_entropy", "dp_dz", "p_i(1 - p_i) if i = j else p_ip_j"),
    ],
)
def test_wrong_answers_with_marks_stay_wrong(forward: str, asked: str, text: str) -> None:
    assert worth(FORWARDS[forward], asked, text, 0) == "wrong"


@pytest.mark.parametrize(
    ("forward", "asked", "text"),
    [
        ("linear", "dx", r"\frac{\partial L}{\partial \dot{x}} = W^\top \delta"),
        ("linear", "dx", r"\nabla_{\tilde x} L = W^\top \delta"),
        ("linear", "dx", r"\frac{\partial L}{\partial b} = W^\top \delta"),
        ("linear", "dx", r"dx = W^\top \dot{\delta}"),
        ("linear", "dx", "dx = (W)\u0307^T δ"),
        ("linear", "dx", r"dx = \tilde{W}^\top \delta"),
        ("linear", "dx", r"dx = \check{W}^\top \delta"),
        ("linear", "dx", r"dx = \ddot{W}^\top \delta"),
        ("cross_entropy", "dp_dz", "diag(p(y)) - p p^T"),
        ("cross_entropy", "dL_dz", "p(1 - p)"),
    ],
)
def test_what_a_mark_makes_another_thing_is_not_read_without_it(
    forward: str, asked: str, text: str
) -> None:
    assert worth(FORWARDS[forward], asked, text, 0) not in ("right", "wrong")


def test_a_square_product_with_letters_below_asks_for_their_order() -> None:
    found = _reading("(A B)_{ij}")
    assert isinstance(found, Reading)
    rng = np.random.default_rng(0)
    value = found.evaluate({name: rng.standard_normal((3, 3)) for name in "AB"}, (3, 3))
    assert isinstance(value, Invalid)
    assert len(value.readings) == 2


@pytest.mark.parametrize("text", ["dC_ij = sum_kl A_ik B_lj", "dC_ij = A_ikB_kj", "dC_ij = Aa_ij"])
def test_letters_below_that_mean_something_else_are_not_cut(text: str) -> None:
    found = _reading(text)
    assert isinstance(found, Invalid) or "l" in found.shown()


def _reading(text: str) -> Reading | Invalid:
    shapes = {"A": (3, 3), "B": (3, 3)}
    return read(text, Context(shapes, "dC", (3, 3)))
