"""Texts that cannot be read or computed, and which notation is chosen."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from quizzer.notation import Context, Invalid, Reading, read

RNG = np.random.default_rng(3)
ENV: dict[str, Any] = {
    "W": RNG.standard_normal((5, 3)),
    "A": RNG.standard_normal((4, 4)),
    "B": RNG.standard_normal((4, 4)),
    "x": RNG.standard_normal(3),
    "b": RNG.standard_normal(5),
    "y": RNG.standard_normal(5),
    "dy": RNG.standard_normal(5),
    "d": RNG.standard_normal((2, 3)),
    "p": np.asarray(0.4),
    "K": RNG.standard_normal((2, 3, 4)),
    "y_hat": RNG.standard_normal(5),
    "N": np.asarray(5),
    "n": np.asarray(3),
}


def context(asked: str = "dx", shape: tuple[int, ...] | None = (3,), **more: Any) -> Context:
    more = {"upstreams": ("dy",), "numbers": frozenset({"N", "n"}), **more}
    return Context({name: np.shape(value) for name, value in ENV.items()}, asked, shape, **more)


def outcome(text: str, notation: str | None, asked: Context) -> Reading | Invalid:
    """The reading, or the first fault in reading or computing."""
    reading = read(text, asked, notation)
    if isinstance(reading, Invalid):
        return reading
    value = reading.evaluate(ENV, asked.asked_shape)
    return value if isinstance(value, Invalid) else reading


UNREADABLE = [
    ("index", "dx[j] = W[m,j] dy[m]", ["index m", "not on the left", "sum(m)"]),
    ("index", "dx_j = sum_m W_{mj} d_{mj}", ["index m runs over 5 in w", "over 2 in d"]),
    ("index", "dx_j = x", ["x is an array", "x[j]"]),
    ("index", "dx_j = W_j", ["w has 2 axes", "1 index"]),
    ("index", "dx_j = x_{jj}", ["x has 1 axis", "2 indices"]),
    ("index", "dx_{jj} = x_j", ["twice on the left"]),
    ("index", "dx_{ij} = W_{ij}", ["dx has 1 axis", "one letter"]),
    ("index", "dx_j = sum_j x_j", ["index j is in use"]),
    ("index", "dx_j = p x_j / N b_j", ["slash", "brackets"]),
    ("index", "dx_j = 1/2x_j", ["slash", "brackets"]),
    ("index", "dx_j = 1/x_j p", ["slash", "brackets"]),
    ("index", "dx_j = 1/x_j (sum_k dy_k W_kj)", ["slash", "brackets"]),
    ("index", "dx_j = 1/x_j max_k W_kj", ["slash", "brackets"]),
    ("index", "dx_j = p/x_j sum_k dy_k W_kj", ["slash", "brackets"]),
    ("index", "dx_j = x_j/x_j sum_k dy_k W_kj", ["slash", "brackets"]),
    ("index", "dx_j = nan x_j", ["nan", "no part of an answer"]),
    ("index", "dx_j = x_j if", ["missing after if"]),
    ("matrix", "inf x", ["infinity", "no part of an answer"]),
    ("index", "dx_j = x_j^2^2", ["two powers", "brackets"]),
    ("index", "dx_j = q x_j", ["q is not a known name"]),
    ("index", "dx_j = y_hut_j", ["y_hut", "y_hat"]),
    ("index", "dx_j = softmax(x_j)", ["softmax acts on a whole array"]),
    ("index", "dx_j = log x_j y_j", ["brackets", "log"]),
    ("index", "dx_j = [x_j]", ["hold a condition"]),
    ("index", "dx_j = (x_j", ["not closed"]),
    ("index", "dx_j = x_j)", ["closes no bracket"]),
    ("index", "dx_j = sum x_j", ["over which index"]),
    ("index", "dx_j = sum_k 1", ["how far index k runs"]),
    ("index", "dx_j = sum_{k=2}^{6} dy_k W_{kj}", ["goes from 2 to 6", "0 to 4", "counts from 0"]),
    ("index", "dx_j = sum_{k=1}^{5} k dy_k W_kj", ["goes from 1 to 5", "0 to 4", "counts from 0"]),
    ("index", "dx_j = sum_{k=0} dy_k W_{kj}", ["upper bound"]),
    ("index", "dx_j = x[j/2]", ["whole number"]),
    ("index", "dx_j = x_j 2", ["* before 2"]),
    ("index", "dx_j = x_j if p > 0", ["else"]),
    ("index", "dx_j = A_{jj}^T", ["transpose"]),
    ("index", "sum_i W_{ij} A_{jk}", ["left side", "dx[…]"]),
    ("index", "x_j +", ["something is missing after +."]),
    ("index", "* x_j", ["something is missing before *."]),
    ("index", "dx_j = (x_j +) p", ["missing after +"]),
    ("index", "dx_j = x_j if p > 0 else", ["missing after else"]),
    ("index", "dx_j = W[j,:]", ["slice", "w[k,j]"]),
    ("index", "dx_j = 1/p (1 - p) x_j", ["slash", "brackets"]),
    ("index", "dx_j = 1/p ‖x‖ x_j", ["slash", "brackets"]),
    ("index", "dx_j = 1/p (1 - p) / 2 x_j", ["slash", "brackets"]),
    ("index", "dx_j = b_j/p x_j", ["slash", "brackets"]),
    ("index", "dx_j = x_j ⊘ b_j p", ["slash", "brackets"]),
    ("index", "dx_j = x[-1]", ["no place -1", "counts from 0"]),
    ("index", "dx_j = e^-2p x_j", ["braces"]),
    ("index", "dx_j = x_j^1/2", ["braces"]),
    ("index", "dx_j = x_j^-1/2", ["braces"]),
    ("index", "dx_j = max_i(x_i) x_j", ["where does this max end"]),
    ("index", "dx_j = W[j+1 j]", ["1 index", "comma between two indices"]),
    ("index", "dx_j = 0,5 x_j", ["with a point"]),
    ("index", "dx_j = \\begin{cases} x_j & p > 0", ["no \\end{cases}"]),
    ("index", "dx_j = log_2 x_j", ["base 2"]),
    ("index", "dx_j = \\begin{cases} x_j \\\\ 0 & p > 0 \\end{cases}", ["stands last"]),
    ("matrix", "2 p x +", ["something is missing after +."]),
    ("matrix", "1/p (1 - p)", ["slash", "brackets"]),
    ("matrix", "1/p (1 - p) x", ["slash", "brackets"]),
    ("matrix", "p x ⊘ x p", ["⊘", "brackets"]),
    ("matrix", "A .* B", ["⊙"]),
    ("matrix", "W^t dy", ["^t"]),
    ("matrix", "2^T x", ["no transpose"]),
    ("matrix", "2^px", ["braces"]),
    ("matrix", "<x, x>", ["inner product", "x^t u"]),
    ("matrix", "Α x", ["latin a"]),
    ("matrix", "0,5 x", ["with a point"]),
    ("matrix", "\\begin{vmatrix} 1 & 2 \\end{vmatrix}", ["vmatrix", "not known"]),
    ("matrix", "\\begin{pmatrix} 1 & 2 \\\\ 3 \\end{pmatrix}", ["different lengths"]),
    ("index", "dx_n = n x_n", ["another letter"]),
    ("index", "dx_j = ‖x_j‖", ["whole array"]),
    ("matrix", "W dy", ["5×3 times 5×1", "transpose"]),
    ("matrix", "W^T dy + dy", ["3×1 and 5×1 cannot be added"]),
    ("matrix", "x ⊙ dy", ["3×1 and 5×1", "elementwise"]),
    ("matrix", "A * B", ["elementwise or the matrix product", "⊙"]),
    ("matrix", "W^{-1} dy", ["square matrix", "5×3"]),
    ("matrix", "A B ⊙ A", ["brackets"]),
    ("matrix", "A + 1", ["square", "i"]),
    ("matrix", "W^T dz", ["dz is not a known name", "did you mean"]),
    ("matrix", "K x", ["3 axes", "index"]),
    ("matrix", "x / A", ["slash", "a^{-1}"]),
    ("matrix", "x / p x", ["slash", "brackets"]),
    ("matrix", "p/p n", ["slash", "brackets"]),
    ("matrix", "tr(W)", ["square", "5×3"]),
    ("matrix", "𝟏^T 𝟏", ["open"]),
    ("matrix", "\\foo x", ["\\foo", "not known"]),
    ("matrix", "\\frac{x}{2", ["not closed"]),
    ("matrix", "dx x", ["dx is what is asked"]),
    ("matrix", "W^T\n- dy", ["go on"]),
    ("matrix", "softmax x p", ["brackets", "softmax"]),
    ("matrix", "x § x", ["§"]),
    ("matrix", "1/2x", ["slash", "brackets"]),
    ("matrix", "dyy x", ["put spaces between"]),
    ("numpy", "W.T @ dyy", ["dyy is not a known name", "dy"]),
    ("numpy", "W @ dy", ["w is (5, 3) and dy is (5,)", "do not fit for @", ".t"]),
    ("numpy", "W * dy", ["w is (5, 3) and dy is (5,)", "do not fit for *"]),
    ("numpy", "W.T * W", ["did you mean @"]),
    ("numpy", "dx = sum(W, axis=0) + (W.T @ (W @ dy))", ["w is (5, 3) and dy is (5,)"]),
    ("numpy", "W @ p", ["write * for a number"]),
    ("numpy", "W @ (x + dy[:3])[:2]", ["and (x + dy[:3])[:2] is (2,)"]),
    ("numpy", "W @ (b + dy)", ["w is (5, 3) and the right side is (5,)"]),
    ("numpy", "exp -x", ["exp(x)"]),
    ("numpy", "* x", ["missing before *"]),
    ("numpy", "x *", ["missing after *"]),
    ("numpy", "return x", ["leave out `return`"]),
    ("numpy", "def dx(x):\nreturn x", ["put spaces in front"]),
    ("numpy", "lambda * x", ["python's own", "lam"]),
    ("numpy", "class * x", ["python's own", "another name"]),
    ("numpy", "g = W.T @ dy\n- x", ["go on"]),
    ("numpy", "g = W.T @ dy\n+ x\ng * 2", ["changes nothing", "brackets"]),
    ("numpy", "0,5*x", ["with a point"]),
    ("numpy", "a = W.T @ W\nnp.fill_diagonal(a, 0)", ["no value", "end with the name"]),
    ("numpy", "x^2", ["**"]),
    ("numpy", "W.T @", ["something is missing after @."]),
    ("numpy", "x x", ["python cannot read"]),
    ("numpy", "sum(x, 0)", ["name the axis"]),
    ("numpy", "x[7]", ["index 7", "out of bounds"]),
    ("numpy", "import os", ["only numpy and math"]),
    ("numpy", "x.tolist() + ['a']", ["real numbers"]),
    ("numpy", "dx = x\n+ x", ["changes nothing", "brackets"]),
    ("numpy", "[[1, 2], [3]]", ["different lengths"]),
    ("numpy", "def dx(x):\n    return x + missing", ["missing is not a known name"]),
    ("numpy", "x * 1j", ["real numbers"]),
    ("numpy", "open('a')", ["open is not a known name"]),
    ("numpy", "1 / len([])", ["divides by zero"]),
]  # fmt: skip


@pytest.mark.parametrize(("notation", "text", "words"), UNREADABLE)
def test_an_unreadable_text_is_told_what_is_wrong(
    notation: str, text: str, words: list[str]
) -> None:
    found = outcome(text, notation, context())
    assert isinstance(found, Invalid), found
    assert all(word in found.message.lower() for word in words), found.message


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("dx_j = W_{mj} dy_m", 1, 11),
        ("W^T dz", 1, 5),
        ("s = W x\ndx = W^T (s + qq)", 2, 15),
        ("dx_j = \\frac{x_j}{q}", 1, 19),
        ("W.T @ dyy", 1, 7),
        ("s = y\nW.T @ (s + dyy)", 2, 12),
        ("W^T dy + dy", 1, 10),
        ("s = W @ x\ndx = 2 * (s * x)", 2, 11),
        ("def dx(W, dy):\n    s = 2\n    return W @ dy", 3, 12),
        ("dx = x²\ndx = Wᵀ @ dyy", 2, 11),
        ("W.T @ dy + x[7]", 1, 12),
    ],
)
def test_the_fault_is_located_in_the_typed_text(text: str, line: int, column: int) -> None:
    found = outcome(text, None, context())
    assert isinstance(found, Invalid)
    assert (found.line, found.column) == (line, column), found


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("def dx(W, dy):\n    return W.T @ dy", "numpy"),
        ("np.array([sum(W[i, j] * dy[i] for i in range(5)) for j in range(3)])", "numpy"),
        ("dx[j] = W[0,j]", "index"),
        ("dx_j = x_j", "index"),
        ("dx_{j} = p", "index"),
        ("∂L/∂x_j = x_j", "index"),
        ("\\frac{\\partial y_k}{\\partial x_j} = W_{kj}", "index"),
        ("sum_i dy_i W_{ij}", "index"),
        ("Σ_i dy_i W_{ij}", "index"),
        ("sum(i) dy[i] W[i,j]", "index"),
        ("\\frac{1}{2} x_i^2", "index"),
        ("\\frac{1}{N} W^\\top dy", "matrix"),
        ("\\hat{y} - y", "matrix"),
        ("W^T dy", "matrix"),
        ("Wᵀdy", "matrix"),
        ("x ⊙ x", "matrix"),
        ("W.T @ dy", "numpy"),
        ("dx = x - 2 * x", "numpy"),
        ("x[0]", "numpy"),
        ("sum(x)", "numpy"),
        ("x_c = x - x.mean()\ndx = x_c", "numpy"),
        ("max(x, 0)", "numpy"),
        ("W x", "matrix"),
        ("2x", "matrix"),
        ("p(1 - p)", "matrix"),
        ("Wx", "matrix"),
        ("W^T (dy · y)", "matrix"),
        ("dy[2 * np.arange(2)] * x[0]", "numpy"),
        ("dy[np.arange(3)]", "numpy"),
        ("y[y.astype(int)]", "numpy"),
        ("k = [0, 1, 2]\ndx = dy[k]", "numpy"),
        ("dx_j = x^2_j", "index"),
        ("dx_j = p", "index"),
        ("dx_k = x_k Σ_iΣ_j W_ij x_j dy_i", "index"),
    ],
)
def test_one_rule_chooses_the_notation(text: str, notation: str) -> None:
    reading = read(text, context())
    assert isinstance(reading, Reading), reading
    assert reading.notation == notation


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("K.sum((0, 1)", "not closed by a )"),
        ("K.sum(0 1)", "forgot a comma"),
        ("dx = K.sum(axis=0,1)", "positional argument"),
        ("(W @ d.T).sum(0", "not closed by a )"),
        ("2 * K.mean(", "missing after ("),
        ("W.sum((0, 1)", "not closed by a )"),
    ],
)
def test_a_method_half_written_is_told_what_numpy_lacks(text: str, words: str) -> None:
    found = read(text, context())
    assert isinstance(found, Invalid)
    assert words in found.message


@pytest.mark.parametrize("text", ["K x", "K^T.sum(0)", "2.sum(0 1) K"])
def test_what_is_no_call_of_a_method_is_told_in_its_own_notation(text: str) -> None:
    found = read(text, context())
    assert isinstance(found, Invalid)
    assert "Python" not in found.message


def test_a_notation_can_be_forced() -> None:
    reading = read("x - x", context(), "matrix")
    assert isinstance(reading, Reading)
    assert reading.notation == "matrix"


def test_reading_executes_nothing(tmp_path: Any) -> None:
    target = tmp_path / "made"
    text = f"def dx(x):\n    return x\nnp.save({str(target)!r}, x)"
    read(text, context())
    assert not list(tmp_path.iterdir())


def test_numpy_text_cannot_change_the_arrays_it_is_given() -> None:
    before = ENV["x"].copy()
    reading = read("x[:] = 0\ndx = x", context(), "numpy")
    assert isinstance(reading, Reading)
    reading.evaluate(ENV)
    np.testing.assert_array_equal(ENV["x"], before)


def test_a_left_side_that_names_another_asked_array_is_a_mix_up() -> None:
    for text in ("db = dy", "db = dy^T", "db_i = dy_i", "∂L/∂b_i = dy_i", "dL/db = dy"):
        found = read(text, context(others=("db",)))
        assert isinstance(found, Invalid)
        assert found.message == "This defines db, but dx is asked here."


def test_every_fault_is_a_sentence() -> None:
    for notation, text, _ in UNREADABLE:
        found = outcome(text, notation, context())
        assert isinstance(found, Invalid)
        first = found.message.split()[0]
        assert not first[0].islower() or first in text or first in "sum mean", found.message
        assert found.message.endswith((".", "?", "…")), found.message


SHOWN = [
    ("dx[i] = sum(m) dy[m] W[m,i]", "dx[i] = sum(m) (dy[m] W[m, i])"),
    ("dx_i = sum_m dy_m", "dx[i] = sum(m) dy[m]"),
    ("dx_i = exp(-x_i^2/2)", "dx[i] = exp(-(x[i]^2 / 2))"),
    ("dx_i = x_{i+1} [2i+1 = 3]", "dx[i] = x[i + 1] [(2 i) + 1 == 3]"),
    ("dx_i = \\begin{cases} x_i & i = 1 \\\\ 0 & \\text{otherwise} \\end{cases}",
     "dx[i] = x[i] if [i == 1] else 0"),
    ("W^T dy + 1/N x", "dx = (W^T dy) + ((1 / N) x)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_what_was_understood_is_shown_without_doubled_brackets(text: str, shown: str) -> None:
    reading = read(text, context())
    assert isinstance(reading, Reading), reading
    assert reading.shown() == shown


NUMPY_METHODS = [
    "x.mean(axis=0)",
    "x.std()",
    "x.prod()",
    "np.linalg.inv(A)",
    "np.einsum('i,i', x, x)",
]


def test_numpy_may_import_its_own_parts_while_an_answer_runs_in_a_fresh_process() -> None:
    program = (
        "import numpy as np\n"
        "from quizzer.notation import Context, read\n"
        "env = {'x': np.ones(3), 'A': np.eye(2)}\n"
        f"for text in {NUMPY_METHODS}:\n"
        "    reading = read(text, Context({'x': (3,), 'A': (2, 2)}, 'dx'), 'numpy')\n"
        "    assert isinstance(reading.evaluate(env), np.ndarray), (text, reading.evaluate(env))\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_line_named_as_asked_is_the_answer_wherever_it_stands() -> None:
    reading = read("dx = W^T dy\ns = W x", context())
    assert isinstance(reading, Reading)
    np.testing.assert_allclose(reading.evaluate(ENV), ENV["W"].T @ ENV["dy"])


def test_without_its_upstream_name_two_outputs_leave_delta_to_kronecker() -> None:
    asked = context("J", (5, 5), upstreams=("dy", "d"))
    reading = read("J_ij = δ_ij", asked)
    assert isinstance(reading, Reading)
    np.testing.assert_array_equal(reading.evaluate(ENV, (5, 5)), np.eye(5))


def test_a_transposed_index_answer_keeps_its_wrong_shape() -> None:
    reading = read("dW[j,i] = dy[i] x[j]", context("dW", (5, 3)))
    assert isinstance(reading, Reading)
    np.testing.assert_allclose(reading.evaluate(ENV, (5, 3)), np.outer(ENV["x"], ENV["dy"]))


def test_a_row_is_handed_out_as_a_row() -> None:
    reading = read("dy^T W", context())
    assert isinstance(reading, Reading)
    value = reading.evaluate(ENV, (3,))
    assert isinstance(value, np.ndarray)
    assert value.shape == (1, 3)


def test_a_sum_over_too_many_cells_is_refused() -> None:
    env = {"x": np.zeros(300)}
    asked = Context({"x": (300,)}, "q", ())
    reading = read("sum(i,j,k) exp(x[i] + x[j] + x[k])", asked)
    assert isinstance(reading, Reading)
    value = reading.evaluate(env)
    assert isinstance(value, Invalid)
    assert "cells" in value.message


@pytest.mark.parametrize("text", ["", "  \n", "x" * 5000, "(" * 200 + "x" + ")" * 200, "=", "dx ="])
def test_an_empty_or_huge_text_is_invalid(text: str) -> None:
    assert isinstance(read(text, context()), Invalid)


THREE_AXES: dict[str, Any] = {
    name: np.random.default_rng(number).uniform(1, 2, (2, 3, 4))
    for number, name in enumerate(("x", "dy"))
}


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("dx = 2 δ ⊙ x", 2),
        ("2δ ⊙ x", 2),
        (r"dx = \frac{1}{2} \delta \odot x", 0.5),
        ("dx = 1/2 δ ⊙ x", 0.5),
        (r"\frac{\partial L}{\partial x} = x \odot \frac{\partial L}{\partial y}", 1),
        ("∂L/∂x = 3 x ⊙ ∂L/∂y", 3),
        ("dx = x ⊙ 2(δ + δ)", 4),
    ],
)
def test_arrays_of_three_axes_are_read_as_a_whole(text: str, factor: float) -> None:
    shapes = {name: value.shape for name, value in THREE_AXES.items()} | {"y": (2, 3, 4)}
    reading = read(text, Context(shapes, "dx", (2, 3, 4), {}, ("dy",)))
    assert isinstance(reading, Reading), reading
    value = reading.evaluate(THREE_AXES, (2, 3, 4))
    np.testing.assert_allclose(value, factor * THREE_AXES["x"] * THREE_AXES["dy"])


@pytest.mark.parametrize("text", ["dx = x / 2 δ", "dx = δ x", "dx = 2 δ x", "dx = δ ⊙ x2 δ"])
def test_what_could_mean_two_things_for_three_axes_is_not_read(text: str) -> None:
    shapes = {name: value.shape for name, value in THREE_AXES.items()} | {"y": (2, 3, 4)}
    assert isinstance(read(text, Context(shapes, "dx", (2, 3, 4), {}, ("dy",))), Invalid)
