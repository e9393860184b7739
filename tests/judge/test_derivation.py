"""Derivations judged line by line: the traps, each kind of line, the first wrong one named."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from quizzer.checker.derivation.derive import derive
from quizzer.checker.problem import pose
from quizzer.checker.requests import Pose
from quizzer.checker.source import Declared
from quizzer.judge.derivation import (
    Mark,
    judged_derivation,
    judged_lines,
    request_of,
    too_large,
)
from quizzer.judge.judges import Judge
from quizzer.judge.source import read_source, stated_of
from tests.derived import SOFTMAX, card_of, declared_text, judged, marks, posed

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests/corpus/derivations"

RIDGE = """
X: N × D
y: N
w: D
lam as λ: number in (0.5, 2)
size N: 4..7; D: 2..5
r = X w - y
L = sum_n r_n^2 + lam sum_i w_i^2
ask dL_dw
"""
RESIDUAL = """
x: D
W: M × D
V: D × M
a = W x
h_m = max(a_m, 0)
y = x + V h
ask dx
"""
NORM = """
x: N × D
gamma as γ: D
size N: 3..6; D: 3..6
mu_i = mean_n x_{ni}
v_i = mean_n (x_{ni} - mu_i)^2
s_i = sqrt(v_i + 1/10)
x_hat_{ni} = (x_{ni} - mu_i) / s_i
y_{ni} = gamma_i x_hat_{ni}
ask dx
"""
LINEAR = """
x: I
W: O × I
y = W x
ask dW, dx
"""
LEAST = """
X: N × D
y: N
w: D
size N: 7..9; D: 2..4
w_hat = (X^T X)^{-1} X^T y
ask w_hat
"""


def test_a_gradient_that_is_zero_only_where_the_formula_does_not_name_the_input_is_wrong() -> None:
    assert marks(SOFTMAX, "∂L/∂z_j = 0 p_j") == ["wrong"]
    assert marks(SOFTMAX, "∂L/∂z_j = p_j - y_j") == ["right"]


def test_a_term_that_is_held_fixed_is_lost_in_the_gradient_of_the_loss() -> None:
    assert marks(RIDGE, "∂L/∂w_i = 2 λ w_i") == ["wrong"]
    assert marks(RIDGE, "∂L/∂w_i = 2 λ w_i + 2 Σ_n r_n X_{ni}") == ["right"]


def test_a_derivative_has_one_meaning_in_a_derivation() -> None:
    both = """∂y_i/∂x_j = [i=j]
∂L/∂x_j = Σ_i δ_i ∂y_i/∂x_j
= δ_j + Σ_i Σ_m δ_i V_{im} [a_m > 0] W_{mj}"""
    found = judged(RESIDUAL, both)
    assert [each.mark.value for each in found.lines] == ["right", "wrong", "right-again"]
    total = both.replace("= [i=j]", "= [i=j] + Σ_m V_{im} [a_m > 0] W_{mj}")
    assert marks(RESIDUAL, total) == ["right", "right", "right"]


def test_a_derivative_may_be_read_with_other_names_held_fixed() -> None:
    text = """∂L/∂x_hat_{ni} = δ_{ni} γ_i
∂x_hat_{ni}/∂x_{ni} = 1/s_i
∂L/∂x_{ni} = ∂L/∂x_hat_{ni} / s_i + ∂L/∂mu_i / N + ∂L/∂v_i 2 (x_{ni} - mu_i) / N"""
    found = judged(NORM, text.replace("∂L/∂v_i 2 (x", "2 ∂L/∂v_i (x"))
    assert [each.mark.value for each in found.lines] == ["right", "right", "right"]
    assert found.held == ("∂x_hat/∂x",)


def test_the_first_wrong_line_is_named_and_what_agrees_with_it_follows() -> None:
    text = """∂L/∂z_j = -Σ_k (y_k/p_k) p_k ([k=j] - p_j)
= -y_j + y_j p_j
= y_j (p_j - 1)
= p_j - y_j"""
    found = judged(SOFTMAX, text)
    assert [each.mark.value for each in found.lines] == ["right", "wrong", "follows", "right-again"]
    assert found.first_wrong == 2
    assert found.lines[2].follows == 2
    assert not found.is_all_right


def test_align_and_fractions_are_lines_with_their_numbers_in_the_text() -> None:
    text = r"""\begin{align}
\frac{\partial L}{\partial z_j} &= \sum_k \frac{\partial L}{\partial p_k}
  \frac{\partial p_k}{\partial z_j} \\
&= y_j - p_j
\end{align}"""
    found = judged(SOFTMAX, text.replace("p_k}\n  ", "p_k} "))
    assert [(e.line, e.mark.value) for e in found.lines] == [(2, "right"), (3, "wrong")]


def test_a_name_for_a_part_of_a_formula_is_a_node() -> None:
    text = """u = W x
∂L/∂u_m = [u_m > 0] Σ_i δ_i V_{im}
∂L/∂W_{mj} = ∂L/∂u_m x_j"""
    declared = RESIDUAL.replace("a = W x\nh_m = max(a_m, 0)", "h_m = max((W x)_m, 0)")
    assert marks(declared, text) == ["defines", "right", "right"]
    assert marks(declared, text.replace("[u_m > 0]", "[u_m < 0]"))[:2] == ["defines", "wrong"]


def test_a_name_that_is_no_part_of_the_card_is_not_judged() -> None:
    found = marks(SOFTMAX, "g_k = z_k^3\n∂L/∂g_k = y_k\n∂L/∂z_j = p_j - y_j")
    assert found == ["defines", "unread", "right"]


def test_a_definition_that_nothing_uses_is_told() -> None:
    found = judged(SOFTMAX, "∂L/∂z_j = p_j - y_j\nH_j = y_j - p_j")
    assert found.lines[1].message == "Line 2 defines H; nothing uses it."
    assert not found.is_all_right
    assert judged(SOFTMAX, "g_j = y_j - p_j\n∂L/∂z_j = -g_j").is_all_right


def test_differentials_hold_in_every_direction() -> None:
    text = """dy = dW x + W dx
dL = tr(δ^T dW x) + δ^T W dx
⇒ ∂L/∂W = δ x^T"""
    assert marks(LINEAR, text) == ["right", "right", "right"]
    assert marks(LINEAR, text.replace("+ W dx", "- W dx", 1))[0] == "wrong"
    assert marks(LINEAR, "dW = dy x^T\ndx = W^T dy") == ["right", "right"]


def test_an_equation_holds_at_the_optimum_and_nowhere_else() -> None:
    text = """X^T (X ŵ - y) = 0
⇒ X^T X ŵ = X^T y
⇒ ŵ = (X^T X)^{-1} X^T y"""
    assert marks(LEAST, text) == ["right", "right", "right"]
    assert marks(LEAST, text.replace("X ŵ - y", "X ŵ + y")) == ["wrong", "right-again"] * 1 + [
        "right-again"
    ]
    assert marks(LEAST, "X^T X ŵ - X^T X ŵ = 0") == ["unread"]


def test_an_equation_about_what_a_declared_objective_is_least_at_is_judged() -> None:
    card = """
M, eps: number in (0.4, 2.5)
h: number positive
e = M/6 h^2 + eps/h
optimum h: e unique
right h = (3 eps / M)^{1/3}
"""
    text = "M h / 3 = eps / h^2\nh^3 = 3 eps / M\nh = (3 eps / M)^{1/3}"
    assert marks(card, text) == ["right", "right", "right"]
    assert marks(card, text.replace("h / 3", "h / 2")) == ["wrong", "right-again", "right-again"]


@pytest.mark.parametrize(
    "text",
    [
        "D = diag(2 x)\ndx = D δ",
        "D_i = 2 x_i\ndx = D ⊙ δ",
        "D_{ij} = 2 x_i [i=j]\ndx = D δ",
    ],
)
def test_an_array_of_ones_own_may_be_called_like_a_size(text: str) -> None:
    card = """
x: D
size D: 2..4
y[i] = x[i]^2
ask dx: backward message
right dx = 2 x dy
"""
    assert marks(card, text) == ["defines", "right"]
    assert marks(card, text.replace("2 x", "3 x")) == ["defines", "wrong"]
    assert marks(card, "D = 7\ndx = 2 x ⊙ δ") == ["wrong", "right-again"]


def test_an_objective_of_ones_own_is_differentiated() -> None:
    text = """L(w) = (X w - y)^T (X w - y)
∂L/∂w = 2 X^T (X w - y)
∂L/∂w = 0 ⟺ X^T X w = X^T y"""
    assert marks(LEAST, text) == ["defines", "right", "right", "right"]
    assert marks(LEAST, text.replace("= 2 X^T", "= X^T"))[1] == "wrong"


def test_an_objective_that_is_not_the_cards_is_doubted() -> None:
    text = "L(w) = (X w - y)^T (X w - 2 y)\nX^T X ŵ = X^T y\nŵ = (X^T X)^{-1} X^T y"
    found = judged(LEAST, text)
    assert [each.mark.value for each in found.lines] == ["defines", "right", "right"]
    assert not found.is_all_right
    used = judged(LEAST, text.replace("2 y", "y").replace("X^T X ŵ = X^T y", "∂L/∂w = 0"))
    assert used.is_all_right
    doubted = judged(
        LEAST, text.replace("X^T X ŵ = X^T y", "∂L/∂w = X^T (X w - 2 y) + X^T (X w - y)")
    )
    assert "its derivative is not zero at the optimum" in doubted.lines[0].message


def test_an_objective_with_its_argument_is_no_product() -> None:
    text = """L(w) = (X w - y)^T (X w - y)
J(w) = L(w) + w^T w
∂J(w)/∂w = ∂L(w)/∂w + 2 w
∂/∂w L(w) = 2 X^T (X w - y)"""
    assert marks(LEAST, text) == ["defines", "defines", "right", "right"]
    assert marks(LEAST, text.replace("+ 2 w", "+ w"))[2] == "wrong"


def test_of_a_gradient_toward_a_symmetric_matrix_the_symmetric_part_counts() -> None:
    declared = """
A: D × D symmetric
x: D
size D: 3..5
y = A x
ask dA, dx
"""
    text = """∂L/∂A_{ij} = δ_i x_j
∂L/∂A = δ x^T
= 1/2 (δ x^T + x δ^T)
= 2 x δ^T"""
    assert marks(declared, text) == ["right", "right", "right", "wrong"]


def test_a_card_that_gives_its_checker_the_shapes_is_judged_too() -> None:
    source = read_source(card_of("low_rank_adapter"), lambda *_: True).source
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        request = request_of(source, pose(Pose(source, 0, 2, {}, 0)), "dA = s X^T dY B^T")
    assert [each.mark for each in judged_lines(request, derive).lines] == [Mark.RIGHT]


def test_what_may_be_meant_otherwise_is_not_called_wrong() -> None:
    assert marks(SOFTMAX, "∂ℓ/∂z_k = K (p_k - y_k)") == ["unread"]
    assert marks(SOFTMAX, "∂L/∂z_k = K (p_k - y_k)") == ["wrong"]
    declared = "x: D\ny = exp(x)\nask dx"
    assert marks(declared, "dy/dx = exp(x)") == ["unread"]
    assert marks(declared, "∂y_i/∂x_j = exp(x_i)") == ["wrong"]


def test_among_differentials_the_upstream_of_an_output_may_have_its_d_name() -> None:
    declared = "x: I\nW: O × I\ny = W x\nask dW, dx"
    assert marks(declared, "dL = tr(dy^T dW x) + dy^T W dx") == ["right"]
    assert marks(declared, "dL = tr(dy^T dW x) - dy^T W dx") == ["wrong"]


def test_a_name_that_is_not_known_is_no_index() -> None:
    assert marks(LINEAR, "∂L/∂x = m") == ["unread"]
    assert marks(LINEAR, "∂L/∂W = δ_m x_i") == ["right"]


def test_names_of_ones_own_are_not_taken_for_the_variable_of_an_objective() -> None:
    text = """r = X w - y
dr = X dw
dL = 2 r^T dr = 2 (X w - y)^T X dw
⇒ ∂L/∂w = 2 X^T (X w - y)"""
    request = "L(w) = (X w - y)^T (X w - y)\n" + text
    assert marks(LEAST, request)[1:] == ["defines", "right", "right", "right", "right"]
    assert marks(LEAST, request.replace("2 r^T", "r^T"))[3] == "wrong"


def test_an_estimate_may_be_said_to_be_a_variable_at_its_optimum() -> None:
    declared = """
X: N × D
size N: 5..8; D: 2..3
S = X^T X
C_hat = 1/N S
ask C_hat
"""
    text = "Λ = C^{-1}\n(N/2) Λ^{-1} - (1/2) S = 0\n⇒ Ĉ = Λ^{-1} = S / N"
    assert marks(declared, text) == ["defines", "right", "right", "right"]
    assert marks(declared, text.replace("(1/2) S", "S")) == [
        *("defines", "wrong", "right-again", "right-again"),
    ]


def test_an_objective_without_a_name_is_known_up_to_a_factor() -> None:
    card = card_of("exponential_mixture_em")
    source = read_source(card, lambda *_: True).source
    assert isinstance(source, Declared)

    def mark(line: str) -> Mark:
        request = request_of(source, posed(source.text), line, stated=stated_of(card))
        return judged_lines(request, derive).lines[0].mark

    assert mark("∂Q/∂λ_k = Σ_n q_{nk} (1/λ_k - x_n)") is Mark.RIGHT
    assert mark("∂Q/∂λ_k = Σ_n q_{nk} (1/λ_k + x_n)") is Mark.WRONG
    assert mark("∂ℓ/∂λ_k = -2 Σ_n q_{nk} (1/λ_k - x_n)") is Mark.UNREAD


def test_a_multiplier_under_an_operator_may_be_any_number() -> None:
    text = "∂/∂z_k (Σ_j y_j log p_j + η (1 - Σ_j z_j)) = y_k - p_k Σ_j y_j - η"
    assert marks(SOFTMAX, text) == ["right"]
    assert marks(SOFTMAX, text.replace("y_j - η", "y_j + η")) == ["wrong"]
    assert marks(SOFTMAX, text.replace("y_j - η", "y_j")) == ["wrong"]


def test_an_objective_with_a_density_is_known_as_far_as_it_is_no_density() -> None:
    card = card_of("mixture_m_step")
    source = read_source(card, lambda *_: True).source
    assert isinstance(source, Declared)

    def mark(line: str) -> Mark:
        request = request_of(source, posed(source.text), line, stated=stated_of(card))
        return judged_lines(request, derive).lines[0].mark

    assert mark("∂Q/∂w_k = c_k / w_k") is Mark.RIGHT
    assert mark("∂Q/∂w_k = -c_k / w_k") is Mark.WRONG
    assert mark("∂Q/∂μ_k = μ_k") is Mark.UNREAD
    assert mark("∂Q/∂X_{ni} = 0") is Mark.UNREAD


def test_what_is_not_known_may_be_said_to_be_zero() -> None:
    assert marks(LEAST, "∂Q/∂w = X^T (X w - y) = 0") == ["unread", "right"]
    assert marks(LEAST, "∂Q/∂w = X^T (X w + y) = 0") == ["unread", "wrong"]
    assert marks(LINEAR, "∂Q/∂x = W^T (y - x_0 1) = 0") == ["unread", "unread"]


def test_a_letter_may_be_free_in_one_term_and_bound_in_another() -> None:
    text = "Σ_n X_{ni} (Σ_j X_{nj} ŵ_j - y_n) = 0"
    assert marks(LEAST, text) == ["right"]
    assert marks(LEAST, text.replace("Σ_n X_{ni}", "Σ_{n,i} X_{ni} + ŵ_i Σ_n X_{ni}")) == ["wrong"]


def test_a_sum_over_a_letter_of_the_left_side_that_no_array_has_is_wrong_too() -> None:
    right = "∂L/∂x_i = Σ_{m,j} δ_m [j=i] W_{mj}"
    assert marks(LINEAR, right) == ["right"]
    assert marks(LINEAR, right.replace("Σ_{m,j}", "Σ_{m,i,j}")) == ["wrong"]


def test_a_function_of_the_question_is_applied() -> None:
    request = request_of(
        Declared(LINEAR), posed(LINEAR), "y = Φ(W) x / 2", stated=(r"\Phi(Z) = 2 Z",)
    )
    assert [each.mark for each in judged_lines(request, derive).lines] == [Mark.RIGHT]


def test_the_line_of_a_formula_is_named_where_its_left_side_is_alone() -> None:
    assert judged(LINEAR, "∂L/∂x_i =\n= Σ_m δ_m W_{mi}^2").first_wrong == 2


def test_an_operator_acts_on_what_is_behind_it() -> None:
    assert marks(SOFTMAX, "∂/∂z_j log p_k = [k=j] - p_j") == ["right"]
    assert marks(SOFTMAX, "∂/∂z_j (log p_k) = [k=j] - p_k") == ["wrong"]
    assert marks(RIDGE, "∂L/∂w_i = ∂/∂w_i (Σ_n r_n^2) + 2 λ w_i") == ["right"]


def test_a_sum_over_a_letter_of_the_left_side_is_wrong_and_not_unread() -> None:
    assert marks(LINEAR, "∂L/∂x_i = Σ_{m,i} δ_m W_{mi}") == ["wrong"]


def test_words_and_remarks_are_set_aside() -> None:
    text = """First the definition.
∂L/∂z_j = Σ_k ∂L/∂p_k ∂p_k/∂z_j   (by the chain rule)
= p_j Σ_k y_k - y_j
= p_j - y_j, since Σ_k y_k = 1"""
    assert marks(SOFTMAX, text) == ["right", "right", "right"]


@pytest.mark.parametrize(
    ("remark", "wrong"),
    [
        (", since Σ_k y_k = 1", False),
        (", since Σ_k y_k = 2", True),
        (" (as Σ_k p_k = 2)", True),
        ("   (Σ_k p_k = 1)", False),
        ("   (Σ_k p_k = 0)", True),
        (r", \quad \text{since } \sum_k p_k = 2", True),
        (", since ∂L/∂p_k = y_k/p_k", True),
        (", because ∂L/∂p_k = -y_k/p_k", False),
        (" (since K = 3)", False),
        (" (since Σ_k z_k = 0)", False),
        (" (since δ = 1)", False),
    ],
)
def test_an_equation_in_a_remark_is_checked_and_never_multiplied(remark: str, wrong: bool) -> None:
    found = judged(SOFTMAX, f"∂L/∂z_j = p_j - y_j{remark}", explain=True)
    assert found.lines[0].mark is Mark.RIGHT
    assert (found.first_wrong == 1) == wrong
    if wrong:
        assert "does not hold" in found.lines[1].message


def test_a_line_that_cannot_be_read_leaves_the_others_judged() -> None:
    text = "∂L/∂z_j = ∂L/∂foo_j\n∂L/∂z_j = y_j - p_j"
    found = judged(SOFTMAX, text)
    assert [each.mark.value for each in found.lines] == ["unread", "wrong"]
    assert "foo" in found.lines[0].message


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("y_j - p_j", "sign"),
        ("2 (p_j - y_j)", "factor"),
        ("K p_j - K y_j", "size-factor"),
        ("p_j", "missing-term"),
    ],
)
def test_the_step_is_diagnosed(line: str, code: str) -> None:
    found = judged(SOFTMAX, f"∂L/∂z_j = p_j - y_j\n= {line}", explain=True)
    assert found.lines[1].diagnosis is not None
    assert found.lines[1].diagnosis.code == code
    assert found.lines[1].message.startswith("Line 2 is wrong: ")
    assert " Line 1 is right. At z = " in found.lines[1].message


@pytest.mark.parametrize(
    ("declared", "text", "code", "said"),
    [
        (SOFTMAX, "∂p_k/∂z_j = p_k ([k=j] + p_j)", "sign", "the sign of “p[j]”"),
        (SOFTMAX, "∂p_k/∂z_j = p_k ([k=j] - 2 p_j)", "term-factor", "“2 p[j]” is 2 × what"),
        (SOFTMAX, "∂p_k/∂z_j = p_k ([k=j] - p_k)", "one-edit", "“k” in “p[k]”"),
        (SOFTMAX, "∂L/∂p_k = -y_k / p_k^2", "one-edit", "“p[k]^2”"),
        (
            SOFTMAX,
            "∂L/∂z_j = Σ_k ∂L/∂p_k p_k ([k=j] - p_j)\n= Σ_k ∂L/∂p_k p_k [k=j]",
            "missing-term",
            "From line 1, a term is lost: “p[j]”",
        ),
        (
            SOFTMAX,
            "∂L/∂z_j = Σ_k ∂L/∂p_k ∂p_k/∂z_j\n= Σ_k ∂p_k/∂z_j",
            "one-edit",
            "From line 1, a factor is lost: “∂L/∂p[k]”",
        ),
        (
            NORM,
            "∂L/∂x_{ni} = ∂L/∂x_hat_{ni} / s_i + 2 ∂L/∂v_i (x_{ni} - mu_i) / N",
            "missing-term",
            "the one by way of mu",
        ),
        (RIDGE, "∂L/∂w_i = 2 Σ_n r_n X_{ni} + 2 w_i", "one-edit", "“2 w[i]”: a factor is missing"),
        (LEAST, "X^T X ŵ = -X^T y", "sign", "the sign of “X^T y”"),
        (LEAST, "ŵ = (X^T X) X^T y", "one-edit", "“X^T X”"),
        (LINEAR, "dy = dW x - W dx", "sign", "the sign of “W dx”"),
    ],
)
def test_the_part_that_is_wrong_is_named(declared: str, text: str, code: str, said: str) -> None:
    (wrong,) = [each for each in judged(declared, text, True).lines if each.diagnosis]
    assert wrong.diagnosis is not None
    assert (wrong.diagnosis.code, said in wrong.message) == (code, True), wrong.message


@pytest.mark.parametrize(
    ("declared", "text", "said"),
    [
        (
            SOFTMAX,
            "∂L/∂z_j = p_j - y_j\n= p_j + y_j",
            "At z = (3), y = (1): line 1 gives (0), line 2 gives (2).",
        ),
        (
            SOFTMAX,
            "∂p_k/∂z_j = p_k ([k=j] - p_k)",
            "At z = (0, 0, 1): line 1 gives -0.3319 in [2, 0], but it should be -0.1221.",
        ),
        (LEAST, "X^T X ŵ = -X^T y", "At X = [[3]], y = (1), its two sides differ by 6."),
        (
            LINEAR,
            "∂L/∂x_i = Σ_m W_{mi} δ_m\n= Σ_m W_{mi}^2 δ_m",
            "At x = (1, 0), W = [[-2, -3], [-3, -3]], δ = (1, 1): "
            "line 1 gives (-5, -6), line 2 gives (13, 18).",
        ),
    ],
)
def test_a_wrong_line_has_a_small_counter_example(declared: str, text: str, said: str) -> None:
    found = judged(declared, text, explain=True).lines[-1]
    assert found.example == said
    assert found.message.endswith(said)


def test_a_counter_example_is_where_the_lines_above_are_right() -> None:
    text = "∂L/∂z_j = p_j Σ_k y_k - y_j\n= p_j - y_j\n= p_j - 2 y_j"
    found = judged(SOFTMAX, text, explain=True).lines[-1].example
    assert found.startswith("At z = (3), y = (1): line 2 gives (0), line 3 gives (-1)")


def test_a_text_that_is_too_long_is_refused_before_it_is_judged() -> None:
    assert too_large("\n" * 200) is not None
    assert too_large("x" * 20_001) is not None
    assert too_large("dx = 1\n" * 20) is None


def test_a_derivation_is_judged_behind_the_walls(judge: Judge) -> None:
    prepared = judge._preparation(card_of("softmax_jacobian"), 1)
    found = judged_derivation(prepared, "∂p_k/∂z_j = [k=j] p_k - p_k p_j\n= p_k [k=j]")
    assert [each.mark for each in found.lines] == [Mark.RIGHT, Mark.WRONG]  # type: ignore[union-attr]
    assert found.lines[1].example.startswith("At z = ")  # type: ignore[union-attr]


def test_a_formula_is_cut_behind_the_walls(judge: Judge) -> None:
    prepared = judge._preparation(card_of("rnn_step"), 1)
    text = "a = W h_{t-1} + U x_t + b\n∂L/∂a = δ ⊙ (1 - h_t ⊙ h_t)"
    found = judged_derivation(prepared, text)
    assert [each.mark for each in found.lines] == [Mark.DEFINES, Mark.RIGHT]  # type: ignore[union-attr]


SAMPLE = (
    *("linear-layer-1", "softmax-jacobian-1", "batch-norm-1", "attention-1", "lstm-step-2"),
    *("unit-vector-3", "residual-block-3", "gated-linear-unit-1"),
)
"""Derivations of the corpus, each with a few of its slips; `benchmarks/derivations.py` does all."""


@pytest.mark.parametrize("wanted", SAMPLE)
def test_a_derivation_of_the_corpus_is_right_and_its_slips_are_named(wanted: str) -> None:
    entry = next(
        entry
        for line in (CORPUS / "right.jsonl").read_text("utf-8").splitlines()
        if (entry := json.loads(line))["id"] == wanted
    )
    declared = declared_text(wanted.rpartition("-")[0].replace("-", "_"))
    lines = entry["text"].split("\n")
    assert set(marks(declared, entry["text"])) <= {"right", "defines"}
    for slip in [each for each in entry["slips"] if "definition" not in each][::7]:
        changed = [*lines]
        changed[slip["line"] - 1] = slip["text"]
        assert judged(declared, "\n".join(changed)).first_wrong == slip["line"], slip


def test_judging_lines_does_not_import_what_works_them_out_in_the_sandbox() -> None:
    program = (
        "import sys, quizzer.judge.derivation, quizzer.judge.derivation_step; "
        "sys.exit('quizzer.checker.derivation.lines' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
