"""Answers as cards and papers write them: several equations, both notations, decorated names."""

from typing import Any

import numpy as np
import pytest

from quizzer.notation import Context, Invalid, Reading, read

Array = np.ndarray[Any, np.dtype[Any]]
RNG = np.random.default_rng(11)

W, X, upstream = (
    RNG.standard_normal((4, 4)),
    RNG.standard_normal((3, 4)),
    RNG.standard_normal((3, 4)),
)
h, h_prev, dh, eta = RNG.uniform(0.1, 0.9, 4), RNG.standard_normal(4), np.ones(4) * 0.7, 0.3
cube, dcube = RNG.standard_normal((2, 3, 5)), RNG.standard_normal((2, 3, 5))
w_new = RNG.standard_normal(4)

VALUES: dict[str, Array] = {
    "W": W, "X": X, "dY": upstream, "h": h, "h_prev": h_prev, "dh": dh, "eta": np.asarray(eta),
    "ell": np.asarray(0.7), "cube": cube, "N": np.asarray(3), "w_new": w_new,
}  # fmt: skip
SYMBOLS = {"h": "h_t", "h_prev": "h_{t-1}", "ell": "ℓ"}


def value(text: str, asked: str, truth: Array, **more: Array) -> Array | Invalid:
    values = VALUES | more
    given = "dY" if "dcube" not in more else "dcube"
    shapes = {name: np.shape(array) for name, array in values.items()}
    context = Context(
        shapes, asked, truth.shape, SYMBOLS, (given,), frozenset({"N", "ell"}), ("dOther",)
    )
    reading = read(text, context)
    return reading.evaluate(values, truth.shape) if isinstance(reading, Reading) else reading


def assert_means(text: str, asked: str, truth: Array, **more: Array) -> None:
    found = value(text, asked, truth, **more)
    assert isinstance(found, np.ndarray), found
    np.testing.assert_allclose(found, truth, rtol=1e-12)


A = upstream @ W.T
B = A * X


@pytest.mark.parametrize(
    "text",
    [
        r"$$ P = \delta W^\top, \qquad \frac{\partial L}{\partial X} = P \odot X $$",
        r"\frac{\partial L}{\partial X} = (\delta W^\top) \odot X, \qquad dOther = X^\top \delta",
        "A = dY W^T, dX = A ⊙ X",
    ],
)
def test_a_comma_between_two_equations_ends_the_first(text: str) -> None:
    assert_means(text, "dX", B)


@pytest.mark.parametrize(
    "text",
    [
        "A = dY W^T\ndX_ij = A_ij X_ij",
        "A = \\delta W^\\top\n\\frac{\\partial L}{\\partial X_{ij}} = A_{ij} X_{ij}",
        "A_{nk} = \\sum_j dY_{nj} W_{kj}\ndX = A \\odot X",
        "A_{nk} = \\sum_j dY_{nj} W_{kj}\nA ⊙ X",
    ],
)
def test_index_lines_and_matrix_lines_may_be_mixed(text: str) -> None:
    assert_means(text, "dX", B)


@pytest.mark.parametrize(
    "text",
    [
        r"\frac{\partial L}{\partial h_{t-1,j}} = \sum_i (1 - h_{t,i}^2) W_{ij}",
        r"\frac{\partial L}{\partial \mathbf{h}_{t-1}} = W^\top (\mathbf{1} - h_t \odot h_{t})",
    ],
)
def test_a_symbol_with_a_subscript_takes_an_index_after_a_comma(text: str) -> None:
    assert_means(text, "dh_prev", W.T @ (1 - h**2))


@pytest.mark.parametrize(
    "text", [r"W^{-1}_ji h_i", r"(W^{-1})_ij h_j h_i / h_i", r"W^{-1}_{ij} h_j"]
)
def test_letters_below_an_inverse_need_no_braces(text: str) -> None:
    truth = np.linalg.inv(W)
    wanted = {"W^{-1}_ji h_i": truth.T * h[:, None]}.get(text, truth * h)
    assert_means("dW_ij = " + text, "dW", wanted)


@pytest.mark.parametrize("text", [r"dY^T 1", r"\delta^\top 1", "(dY ⊙ 1 1^T)^T 1", r"dY^{T} 1"])
def test_a_plain_one_after_a_transpose_is_the_ones(text: str) -> None:
    assert_means(text, "db", upstream.sum(axis=0))


@pytest.mark.parametrize("text", [r"\delta", r"\delta \odot cube", r"-\delta"])
def test_latex_for_more_than_two_axes_is_elementwise(text: str) -> None:
    truth = {r"\delta": dcube, r"-\delta": -dcube}.get(text, dcube * cube)
    assert_means(text, "dx", truth, dcube=dcube)


@pytest.mark.parametrize("text", [r"sgn(h_prev)", r"\operatorname{sgn}(h_{t-1})", r"\sgn(h_prev)"])
def test_sgn_is_the_sign(text: str) -> None:
    assert_means(text, "dx", np.sign(h_prev))


@pytest.mark.parametrize("text", [r"1 - \tanh^2 h_i", r"1 - \tanh^2(h_i)", "1 - tanh(h_i)^2"])
def test_a_power_may_stand_at_the_function(text: str) -> None:
    assert_means("dx_i = " + text, "dx", 1 - np.tanh(h) ** 2)


def test_square_brackets_around_a_sum_group_it() -> None:
    text = r"dx_i = \frac{h_i}{N} \left[ \eta h_i - (1 - h_i) \right]"
    assert_means(text, "dx", h / 3 * (eta * h - (1 - h)))


def test_an_accented_helper_has_its_index_after_the_accent() -> None:
    text = (
        "\\bar{\\delta}_n = \\sum_j X_{nj} dY_{nj}\ndX_{nk} = X_{nk} (dY_{nk} - \\bar{\\delta}_n)"
    )
    assert_means(text, "dX", X * (upstream - (X * upstream).sum(axis=1, keepdims=True)))


@pytest.mark.parametrize("text", [r"\frac{1}{\ell^2} h", "1/ℓ^2 h", "h / ell**2"])
def test_ell_is_a_letter_of_its_own(text: str) -> None:
    assert_means(text, "dx", h / 0.7**2)


@pytest.mark.parametrize("text", [r"dx_k = w_k^{\text{new}} h_k", "dx_k = w_new_k h_k"])
def test_a_word_raised_is_part_of_the_name(text: str) -> None:
    assert_means(text, "dx", w_new * h)


@pytest.mark.parametrize("text", [r"W^\top \otimes X", "W^T ⊗ X"])
def test_kroneckers_product_has_a_sign(text: str) -> None:
    assert_means(text, "J", np.kron(W.T, X))


def test_kroneckers_product_of_a_product_needs_brackets() -> None:
    found = value("X W ⊗ X", "J", np.kron(X @ W, X))
    assert isinstance(found, Invalid)
    assert "brackets" in found.message


@pytest.mark.parametrize(
    "text",
    ["v = W^{-1} h\n-v v^T", "v = np.linalg.inv(W) @ h\n-np.outer(v, v)", "v = inv(W) h\n- v v^T"],
)
def test_a_minus_begins_the_answer_after_a_helper_that_it_uses(text: str) -> None:
    v = np.linalg.inv(W) @ h
    assert_means(text, "dW", -np.outer(v, v))


@pytest.mark.parametrize(
    "text", ["s = W^T h\ndx = h\n- s", "s = W^T h\n- h", "dx = h ^ 1\n- h_prev"]
)
def test_a_minus_that_may_go_on_from_the_line_before_is_refused(text: str) -> None:
    found = value(text, "dx", h)
    assert isinstance(found, Invalid)
    assert "go on from the one before" in found.message


@pytest.mark.parametrize(
    "text",
    [
        "dX_ij = X_ij\nh_j",
        "dX_ij = X_ij\n\n(h_j)",
        "dX_ij = X_ij\nh_k",
        "dX_ij = X_ij\n[i < 3]",
        "dX_ij = X_ij\nsum(i) h_i",
        "dX_ij = X_ij\nh",
        "dX_ij = X_ij\nX W",
        "dX = X W\nW^T",
        "dX = X W^2\n2",
        "dX_ij = X_ij\nwhere a b = 2\nh_j",
        "dX_ij = X_ij\nwhere a b = 2\nand c d = 3\nh_j",
        "dX = X W\nsince a b = 2\nW^T",
    ],
)
def test_a_formula_after_the_answer_may_be_part_of_it_and_is_refused(text: str) -> None:
    found = value(text, "dX", X)
    assert isinstance(found, Invalid)
    assert "go on from the one before" in found.message


@pytest.mark.parametrize(
    "remark",
    [
        "where W is given",
        "since h_j is known",
        "h_k is known",
        "shape of X",
        "q.e.d.",
        "# h_j",
        "dX",
        "where a b = 2",
        "for all i, j = 1, 2, 3\nand c d = 3\nq.e.d.",
        "where a b = 2\nsince h_j is known",
    ],
)
def test_a_remark_after_the_answer_is_passed_over(remark: str) -> None:
    assert_means(f"dX_ij = 2 X_ij\n{remark}", "dX", 2 * X)


def test_the_last_line_named_as_asked_is_the_answer_beyond_a_remark_too() -> None:
    assert_means("dX_ij = X_ij\nwhere a b = 2\ndX_ij = 2 X_ij", "dX", 2 * X)


@pytest.mark.parametrize(
    "text",
    [
        "g = 2 * h\ng /= 2\ng",
        "def dx(h):\n    g = 3 * h\n    g /= 3\n    return g",
        "dx = np.zeros(4)\nfor i in range(4):\n    dx[i] = h[i]\ndx",
        "out = np.zeros(4)\nfor i in range(8):\n    out[i // 2] = h[i // 2]\nout",
    ],
)
def test_numpy_lines_that_divide_in_place_or_end_with_the_asked_name(text: str) -> None:
    assert_means(text, "dx", h)


def test_membership_says_how_to_write_it() -> None:
    found = value(r"dx_i = \sum_k h_k [i \in \Omega(k)]", "dx", h)
    assert isinstance(found, Invalid)
    assert "comparisons" in found.message


def test_letters_without_a_left_side_have_the_only_order_that_fits() -> None:
    text = r"\frac{2}{N} \sum_j [n=j] W_{ji}"
    assert_means(text, "dX", 2 / 3 * W[:3])
    found = value(text, "dx", h)
    assert isinstance(found, Invalid)
    assert "left side" in found.message


def test_the_upstream_may_be_written_with_its_output_below_a_delta() -> None:
    text = r"dW_{ij} = \sum_{(n,k)} \delta_{Y,nk} [k = i] X_{nj}"
    assert_means(text, "dW", upstream.T @ X)


def test_a_list_of_arrays_is_summed_as_in_python() -> None:
    text = "sum([upstream[n] * X[n] for n in range(3)])".replace("upstream", "dY")
    assert_means(text, "dx", (upstream * X).sum(axis=0))
    assert_means("sum((r for r in X), np.zeros(4))", "dx", X.sum(axis=0))
    assert_means("sum([1, 2, 3]) * h", "dx", 6 * h)


def test_a_condition_after_an_indexed_name_is_no_index() -> None:
    assert_means(r"-\frac{1}{N} h_n [1 - h_prev_n > 0]", "dx", -h / 3 * (h_prev < 1))


def test_another_asked_name_cannot_be_used() -> None:
    found = value("dx_i = sum(k) h_k dOther[k,i]", "dx", h)
    assert isinstance(found, Invalid)
    assert "dOther is asked" in found.message


def test_a_name_in_the_other_case_is_proposed_first() -> None:
    found = value("dx_i = sum_j w[i,j] h[j]", "dx", h)
    assert isinstance(found, Invalid)
    assert "Did you mean W?" in found.message


@pytest.mark.parametrize("text", ["X + etaI X", r"(ηI + I) X", r"X + \eta I X"])
def test_the_identity_may_be_glued_to_a_number(text: str) -> None:
    size_of_rows = X[:, :3]
    text = text.replace("X", "S")
    assert_means(text, "dS", (1 + eta) * size_of_rows, S=size_of_rows)


def test_an_equation_after_the_answer_may_define_a_function() -> None:
    assert_means(
        r"dx_i = \sigma(h_i), \qquad \sigma(z) = \frac{1}{1 + e^{-z}}", "dx", 1 / (1 + np.exp(-h))
    )


def test_kroneckers_sign_between_two_vectors_is_their_outer_product() -> None:
    assert_means("h ⊗ h_prev", "dW", np.outer(h, h_prev))


def test_a_mask_beside_a_matrix_product_is_numpy() -> None:
    text = "m = h_prev * h\n-W[m < 0].T @ h[m < 0]"
    masked = h_prev * h < 0
    assert_means(text, "dx", -W[masked].T @ h[masked])
