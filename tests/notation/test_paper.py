"""Formulas as they are set on paper: chains, remarks, rows, definitions, and what stays wrong."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from forwards import FORWARDS, worth

from quizzer.notation import Context, Invalid, Reading, read
from quizzer.notation.latex import name_of

PAPER = Path(__file__).parents[1] / "corpus" / "paper"

READ = [
    ("linear", "dx", "∂L/∂x_j = sum_k δ_k ∂y_k/∂x_j = sum_k W_kj δ_k"),
    ("linear", "dx", "dx = W^T dy\n= W^T δ"),
    ("linear", "dx", "\\[ \\nabla_{x} L = W^\\top \\nabla_y L . \\]"),
    ("linear", "dx", "(a) $\\frac{dL}{dx} = W' \\frac{dL}{dy}$"),
    ("linear", "dx", "dx_j = sum_k W_kj g_k, where g_k = δ_k"),
    ("linear", "dx", "dx = W^T g (by the chain rule), g = δ"),
    ("linear", "dx", "dx_j = (W^T δ)_j"),
    ("linear", "dx", "dx_j = sum_k [W^T]_{jk} δ_k"),
    ("linear", "dx", "\\bar{x} = W^T \\bar{y}"),
    ("linear", "dW", "dW = δ ⊗ x"),
    ("linear", "dW", "dW_ij = δ_i x_j, since y_i = \\sum_j W_{ij} x_j"),
    ("linear", "dW", "dW = outer(δ, x)"),
    ("batched", "dW", "dW = sum_n x_n δ_n^T"),
    ("batched", "dc", "dc_n = (sum_k Y_nk) (sum_j dY_nj / sum_j Y_nj)"),
    ("sigmoid", "dx", "dx_i = δ_i σ'(x_i)"),
    ("sigmoid", "dx", "f(s) = σ(s) (1 - σ(s))\ndx_i = δ_i f(x_i)"),
    ("sigmoid", "dx", "dx_i = δ_i y_i^2 (1/y_i - 1)"),
]

WRONG = [
    ("linear", "dx", "dx = W^T dy = W^T dy + x"),
    ("linear", "dW", "dW = x ⊗ δ"),
    ("batched", "dW", "dW = sum_n δ_n x_n^T"),
    ("batched", "dW", "dW = 2 sum_n x_n δ_n^T, where δ = 1"),
    ("sigmoid", "dx", "dx_i = δ_i tanh'(x_i)"),
    ("sigmoid", "dx", "f(s) = σ(s) (1 - s)\ndx_i = δ_i f(x_i)"),
    ("linear", "dx", "dx_j = (W^T δ)_j + sum_k W_kj"),
    ("linear", "dx", "dx_j = sum_k [W^T]_{kj} δ_k"),
    ("linear", "dx", "dx = W^T g, g = δ + 1"),
]


@pytest.mark.parametrize(("forward", "asked", "text"), READ)
@pytest.mark.parametrize("seed", range(3))
def test_a_right_answer_is_read_as_it_stands_on_paper(
    forward: str, asked: str, text: str, seed: int
) -> None:
    assert worth(FORWARDS[forward], asked, text, seed) == "right"


@pytest.mark.parametrize(("forward", "asked", "text"), WRONG)
@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_answer_set_the_same_way_is_never_right(
    forward: str, asked: str, text: str, seed: int
) -> None:
    assert worth(FORWARDS[forward], asked, text, seed) != "right"


def context(asked_shape: tuple[int, ...] = (3,)) -> Context:
    shapes = {"a": (3,), "b": (3,), "c": (3,), "X": (3, 3)}
    return Context(shapes, "dx", asked_shape)


def env() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    return {name: rng.uniform(1, 2, shape) for name, shape in context().shapes.items()}


def test_two_readings_that_differ_are_both_told() -> None:
    reading = read("dx_i = a_i / b_i c_i", context())
    assert isinstance(reading, Reading)
    value = reading.evaluate(env(), (3,))
    assert isinstance(value, Invalid)
    assert value.code == "ambiguous"
    assert [text.split("=")[1].strip() for text in value.readings] == [
        "(a[i] / b[i]) c[i]",
        "a[i] / (b[i] c[i])",
    ]


def test_a_square_of_a_vector_that_may_be_its_length_has_two_readings() -> None:
    reading = read("dx = a / (1 + b)^2", context())
    assert isinstance(reading, Reading)
    value = reading.evaluate(env(), (3,))
    assert isinstance(value, Invalid)
    assert value.code == "ambiguous"
    assert value.readings == (
        "dx = a / ((1 + b)^T (1 + b))",
        "dx = a / ((1 + b) ⊙ (1 + b))",
    )


@pytest.mark.parametrize("text", ["dx_i = a_i / b_i c_i", "dx = a / (1 + b)^2"])
def test_each_of_two_readings_is_read_without_a_doubt(text: str) -> None:
    reading = read(text, context())
    assert isinstance(reading, Reading)
    told = reading.evaluate(env(), (3,))
    assert isinstance(told, Invalid)
    values = []
    for text in told.readings:
        again = read(text, context())
        assert isinstance(again, Reading)
        values.append(again.evaluate(env(), (3,)))
    assert all(isinstance(value, np.ndarray) for value in values)
    assert not np.allclose(values[0], values[1])


def test_two_readings_that_agree_are_not_asked_about() -> None:
    reading = read("dx_i = a_i / b_i c_i", context())
    assert isinstance(reading, Reading)
    value = reading.evaluate({**env(), "c": np.ones(3)}, (3,))
    assert isinstance(value, np.ndarray)


def test_letters_without_a_left_side_are_told_where_their_order_matters() -> None:
    reading = read("a_i b_j", context((3, 3)))
    assert isinstance(reading, Reading)
    value = reading.evaluate(env(), (3, 3))
    assert isinstance(value, Invalid)
    assert len(value.readings) == 2


def test_a_letter_that_only_a_condition_names_may_be_either_axis() -> None:
    reading = read("a_i [i = j]", context((3, 3)))
    assert isinstance(reading, Reading)
    np.testing.assert_allclose(reading.evaluate(env(), (3, 3)), np.diag(env()["a"]))
    reading = read("a_i [i != j]", context((3, 3)))
    assert isinstance(reading, Reading)
    told = reading.evaluate(env(), (3, 3))
    assert isinstance(told, Invalid)
    assert len(told.readings) == 2


def test_rows_of_a_square_matrix_may_be_columns_which_is_asked() -> None:
    reading = read("dx = sum_i a_i x_i", context())
    assert isinstance(reading, Reading)
    told = reading.evaluate(env(), (3,))
    assert isinstance(told, Invalid)
    assert told.code == "ambiguous"
    values = []
    for text in told.readings:
        again = read(text, context())
        assert isinstance(again, Reading)
        values.append(again.evaluate(env(), (3,)))
    np.testing.assert_allclose(values[0], env()["X"].T @ env()["a"])
    np.testing.assert_allclose(values[1], env()["X"] @ env()["a"])


@pytest.mark.parametrize(
    "text", ["1/b_i (a_i + c_i)", "dx_i = a_i/b_i (1 - c_i)", "dx_i = sin a_i b_i", "sin 2 a_i"]
)
def test_how_far_a_slash_or_a_function_goes_is_asked(text: str) -> None:
    reading = read(text, context())
    assert isinstance(reading, Reading)
    told = reading.evaluate(env(), (3,))
    assert isinstance(told, Invalid)
    assert len(told.readings) == 2


def test_a_fraction_of_an_element_in_front_of_a_sum_is_a_number_in_front() -> None:
    reading = read("dx_i = 1/b_i sum_j X_ij a_j", context())
    assert isinstance(reading, Reading)
    value = reading.evaluate(env(), (3,))
    np.testing.assert_allclose(value, env()["X"] @ env()["a"] / env()["b"])


@pytest.mark.parametrize("kind", ["max", "min", "mean"])
def test_reads_outside_take_no_part_in(kind: str) -> None:
    reading = read(f"dx_i = {kind}_{{k=0}}^{{1}} a[i+k]", context())
    assert isinstance(reading, Reading)
    a = -env()["a"]
    value = reading.evaluate({**env(), "a": a}, (3,))
    function = getattr(np, kind)
    np.testing.assert_allclose(value, [function(a[:2]), function(a[1:]), a[2]])


def texts() -> list[str]:
    lines = (PAPER / "printed.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["answer"] for line in lines]


def test_right_answers_of_the_corpus_never_raise_on_any_card() -> None:
    for text in texts():
        reading = read(text, context())
        if isinstance(reading, Reading) and reading.program is None:
            reading.evaluate(env(), (3,))
            assert reading.latex()


def test_damaged_answers_of_the_corpus_never_raise() -> None:
    rng = Random(7)
    for text in texts() * 2:
        start, length = rng.randrange(len(text)), rng.randint(1, 6)
        damaged = text[:start] + rng.choice(["", text[:length], "_{", ")"]) + text[start + length :]
        reading = read(damaged, context())
        if isinstance(reading, Reading) and reading.program is None:
            reading.evaluate(env(), (3,))


@pytest.mark.parametrize(
    ("forward", "asked", "text"), [row for row in READ if "outer" not in row[2]]
)
def test_latex_reads_back_to_the_same(forward: str, asked: str, text: str) -> None:
    reading = read(text, FORWARDS[forward].context(asked))
    assert isinstance(reading, Reading)
    shown = reading.latex()
    assert shown is not None
    assert worth(FORWARDS[forward], asked, shown, 1) == "right", shown
    again = read(shown, FORWARDS[forward].context(asked))
    assert isinstance(again, Reading) and again.latex() == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("eps", r"\varepsilon"),
        ("lam", r"\lambda"),
        ("θ", r"\theta"),
        ("x_hat", r"\hat{x}"),
        ("gamma_dot", r"\dot{\gamma}"),
        ("dw_2", r"\mathrm{dw}_{\mathrm{2}}"),
        ("dgamma", r"\mathrm{d}\gamma"),
        ("dW", r"\mathrm{dW}"),
        ("dL_dy_hat", r"\mathrm{dL\_dy\_hat}"),
        ("h_prev", r"h_{\mathrm{prev}}"),
        ("dh_prev", r"\mathrm{dh}_{\mathrm{prev}}"),
        ("theta_old", r"\theta_{\mathrm{old}}"),
        ("x_hat_old", r"\hat{x}_{\mathrm{old}}"),
        ("w_max_norm", r"w_{\mathrm{max\_norm}}"),
        ("d_mu", r"d_{\mathrm{\mu}}"),
    ],
)
def test_a_name_is_drawn_as_on_paper_where_it_is_read_so(name: str, shown: str) -> None:
    assert name_of(name) == shown


def test_only_functions_that_latex_knows_are_drawn_as_commands() -> None:
    forward = FORWARDS["spectral"]
    shown = read("df_dS = diag(exp(λ)) sign(S)", forward.context("df_dS"))
    assert isinstance(shown, Reading)
    drawn = r"\operatorname{diag}(\exp(\lambda))\, \operatorname{sign}(S)"
    assert shown.latex() == rf"\mathrm{{df\_dS}} = {drawn}"


def test_a_name_with_an_underscore_is_one_name_in_latex_too() -> None:
    forward = FORWARDS["spectral"]
    shown = read("df_dS = U diag(exp(λ)) U^T", forward.context("df_dS"))
    assert isinstance(shown, Reading)
    latex = shown.latex()
    assert latex is not None and latex.startswith(r"\mathrm{df\_dS} = ")
    assert worth(forward, "df_dS", latex, 1) == "right"
