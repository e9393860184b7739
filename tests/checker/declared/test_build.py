"""A declared checker is the same value as a Python module: its forward is compared with twins."""

from pathlib import Path

import numpy as np
import pytest

from quizzer.card import parse
from quizzer.checker.branches import generator
from quizzer.checker.declared.build import build
from quizzer.checker.declared.program import program_of
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.instance import draw_inputs, forward
from quizzer.checker.load import Checker, CheckerError, load
from quizzer.checker.source import Declared

ROOT = Path(__file__).parents[3]
DECK = ROOT / "tests/decks/declared"
TWINS = {
    path.stem: path
    for path in (ROOT / "tests/python_deck").rglob("*.py")
    if (DECK / f"{path.stem}.md").exists()
}


def declared(stem: str) -> Checker:
    file = DECK / f"{stem}.checker"
    if file.exists():
        return build(Declared(file.read_text("utf-8")))
    path = DECK / f"{stem}.md"
    card = parse(path.read_bytes(), path).card
    assert card and card.checker
    return build(Declared(card.checker.text, card.checker.line))


def made(text: str) -> Checker:
    return build(Declared(text.strip("\n"), 10))


def fault(text: str) -> str:
    with pytest.raises(CheckerError) as caught:
        checker = made(text)
        checker.forward(**checker.sample(np.random.default_rng(0)))  # type: ignore[misc]
    return str(caught.value)


def test_seven_of_the_deck_have_a_twin_in_python() -> None:
    assert len(TWINS) == 7


@pytest.mark.parametrize("stem", sorted(TWINS))
def test_the_forward_of_a_declared_checker_is_that_of_its_python_twin(stem: str) -> None:
    python, ours = load(TWINS[stem].read_text("utf-8")), declared(stem)
    for seed in range(8):
        inputs = draw_inputs(python, generator(seed))
        expected, found = forward(python, inputs), forward(ours, inputs)
        assert expected.keys() == found.keys()
        for name, values in expected.items():
            np.testing.assert_allclose(found[name], values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("stem", sorted(TWINS))
def test_a_python_twin_takes_the_samples_of_a_declared_checker(stem: str) -> None:
    python, ours = load(TWINS[stem].read_text("utf-8")), declared(stem)
    inputs = draw_inputs(ours, generator(3))
    for name, values in forward(python, inputs).items():
        np.testing.assert_allclose(forward(ours, inputs)[name], values, rtol=1e-12, atol=1e-12)


def test_every_formula_line_that_is_no_output_is_an_intermediate() -> None:
    checker = declared("batch_norm")
    inputs = checker.sample(np.random.default_rng(1))
    assert checker.let is not None
    found = checker.let(**inputs)
    assert list(found) == ["mu", "s", "x_hat"]
    np.testing.assert_allclose(found["mu"], inputs["x"].mean(axis=0))


def test_a_node_can_be_held_while_others_follow() -> None:
    program = program_of(read_declaration("x: N\na = 2 x\nb = a + x\ny = a ⊙ b"))
    inputs = {"x": np.array([1.0, 2.0, 3.0])}
    held = program.run(inputs, ("y",), {"a": np.ones(3)})
    np.testing.assert_allclose(held["b"], 1 + inputs["x"])
    np.testing.assert_allclose(held["y"], 1 + inputs["x"])
    np.testing.assert_allclose(program.run(inputs)["y"], 6 * inputs["x"] ** 2)


def test_sizes_symbols_and_answers_come_from_the_lines() -> None:
    checker = declared("gaussian_log_likelihood")
    assert checker.sizes == {"N": ("X", 0), "D": ("X", 1)}
    assert (checker.symbols, checker.symmetric) == ({"mu": "μ"}, ("C",))
    assert list(checker.answers) == ["dL_dmu", "dL_dC"]
    assert list(checker.wrong["dL_dC"].values()) == [
        r"dL_dC = \frac{1}{2} C^{-1} d^\top d C^{-1}",
        r"dL_dC = \frac{N}{2} C - \frac{1}{2} d^\top d",
    ]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("x: N × D\nw: D\nL = w^T x^T x w", ["dL_dx", "dL_dw"]),
        ("x: N × D\nW: D × E\nt: N below D\ny = x W", ["dx", "dW"]),
        ("x: N\ny: N fixed\nz = x ⊙ y", ["dx"]),
        ("x: N\nc: number\nz = c x", ["dx"]),
    ],
)
def test_what_is_asked_may_be_left_out(text: str, asked: list[str]) -> None:
    assert list(made(text).answers) == asked


def test_a_number_is_a_variable_where_its_derivative_is_asked() -> None:
    text = "x: N\nc, e: number\nz = c e x\nask dc: message"
    inputs = made(text).sample(np.random.default_rng(0))
    assert isinstance(inputs["c"], np.ndarray)
    assert isinstance(inputs["e"], float)


def test_a_size_that_is_no_axis_is_found_from_those_that_are() -> None:
    checker = made("x: H\nsize h: 2..5; H = 2h + 1\nf[k] = x[2k] x[2k+1]  for k < h")
    inputs = checker.sample(np.random.default_rng(0))
    (f,) = checker.forward(**inputs).values()  # type: ignore[misc]
    x = inputs["x"]
    np.testing.assert_allclose(f, x[:-1:2] * x[1::2])


@pytest.mark.parametrize("arg", ["argmax", r"\arg\max", r"\operatorname{argmax}", "arg max"])
@pytest.mark.parametrize("first", [0, 1])
def test_argmax_is_the_first_place_of_the_maximum(arg: str, first: int) -> None:
    checker = made(f"Z: N × K\nk_n = {arg}_j Z_{{nj}}\ny_n = 2 Z[n,k[n]]\nindex from {first}")
    z = checker.sample(np.random.default_rng(0))["Z"]
    assert checker.let is not None
    np.testing.assert_array_equal(checker.let(Z=z)["k"], z.argmax(axis=1) + first)
    (y,) = checker.forward(Z=z).values()  # type: ignore[misc]
    np.testing.assert_allclose(y, 2 * z.max(axis=1))
    tied = np.zeros_like(z)
    np.testing.assert_array_equal(checker.let(Z=tied)["k"], np.full(len(z), first))


def test_argmin_may_have_a_condition() -> None:
    checker = made("x: N\nsize N: 4..6\nk = argmin_{j>=1} x_j\nL = x[k]^2\nout L")
    x = checker.sample(np.random.default_rng(0))["x"]
    assert checker.let is not None
    assert checker.let(x=x)["k"] == 1 + x[1:].argmin()


def test_a_range_may_be_rounded_down() -> None:
    checker = made(
        "x: L\nw: U\ns: number 2..3\nsize L: 8..11; U: 3..4\n"
        "y[t] = sum_u w[u] x[s t + u]  for t <= ⌊(L - U)/s⌋"
    )
    inputs = checker.sample(np.random.default_rng(0))
    (y,) = checker.forward(**inputs).values()  # type: ignore[misc]
    np.testing.assert_allclose(y, np.correlate(inputs["x"], inputs["w"])[:: inputs["s"]])


def test_axes_are_of_different_lengths() -> None:
    checker = made("x: N × D\nW: D × E\ny = x W")
    for seed in range(30):
        inputs = checker.sample(np.random.default_rng(seed))
        assert len({*inputs["x"].shape, *inputs["W"].shape}) == 3


def test_samples_are_drawn_until_every_need_holds() -> None:
    checker = made("x: N\ny = 2 x\nneed sum_n [x_n > 0] > 1\nneed min_n |x_n| > 0.1")
    for seed in range(20):
        x = checker.sample(np.random.default_rng(seed))["x"]
        assert (x > 0).sum() > 1
        assert np.abs(x).min() > 0.1


def test_a_need_may_speak_of_intermediates() -> None:
    checker = made("x: N\nu = 2 x\ny = u ⊙ u\nneed sum_n [u_n > 1] > 0")
    assert (2 * checker.sample(np.random.default_rng(0))["x"] > 1).any()


def test_a_need_that_nothing_meets_is_told() -> None:
    assert "line 12: no sample of" in fault("x: N\ny = x\nneed sum_n x_n^2 < 0")


def test_a_variant_replaces_the_line_with_its_name() -> None:
    checker = made("x: N\na = 2 x\ny = a ⊙ a\nvariant a = 3 x -- Three.")
    inputs = checker.sample(np.random.default_rng(0))
    (y,) = checker.variants["Three."](**inputs).values()
    np.testing.assert_allclose(y, 9 * inputs["x"] ** 2)


def test_a_formula_that_a_variant_has_no_use_for_need_not_fit_it() -> None:
    checker = made(
        "x: N × D\nm_i = mean_n x_{ni}\nv_i = mean_n (x_{ni} - m_i)^2\ny_{ni} = x_{ni} - m_i + v_i"
        "\nvariant -- By rows.\n    m_n = mean_i x_{ni}\n    y_{ni} = x_{ni} - m_n"
    )
    x = checker.sample(np.random.default_rng(0))["x"]
    (y,) = checker.variants["By rows."](x=x).values()
    np.testing.assert_allclose(y, x - x.mean(axis=1, keepdims=True))


def test_several_outputs_may_be_named() -> None:
    checker = made("x: N\na = 2 x\nb = 3 a\nout a, b")
    assert list(checker.forward(**checker.sample(np.random.default_rng(0)))) == ["a", "b"]  # type: ignore[misc]


def test_a_card_may_count_from_one() -> None:
    checker = made("x: N\ny_i = sum_{j=1}^{i} j x_j  for i <= N\nindex from 1")
    x = checker.sample(np.random.default_rng(0))["x"]
    (y,) = checker.forward(x=x).values()  # type: ignore[misc]
    np.testing.assert_allclose(y, np.cumsum(np.arange(1, len(x) + 1) * x))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x: N\ny = 2 z", "line 11: in `y = 2 z`: z is not a known name"),
        ("x: N × D\nW: N × D\ny = x W", "x is N × D (line 10), W is N × D (line 11)"),
        ("x: N\nw: D\nL = sum_n x_n w_n", "x is N (line 10), w is D (line 11)"),
        ("x: T × D\nW: D × D\nh_t = tanh(W h_{t-1} + x_t)", "every array has all its indices"),
        ("x: N\ny[k] = [k < 3]", "line 11: how far k runs is not known"),
        ("x: N\ny_i = sum_j x_i x_j z", "line 11:"),
        ("x: N\ny = x @ x[::-1]", "A slice belongs to NumPy"),
        ("x: N\ny = np.exp(x)", "this is Python"),
        ("x: N\nk = argmax_j x_j + 1\ny = x", "argmax goes over one letter"),
        ("x: N\ny = x\nneed x >", "line 12: in `need x >`"),
        ("x: N\ny = x\nsize N = M/3; M: 4..4", "which is no whole number"),
        ("x: N × N\nsize N = 60 k; k: 60..64\ny = x", "numbers, more than"),
        ("x: N\ny[k] = x[k] for k < N - 10", "runs over nothing"),
        ("x: N\ny[k] = x[k] for 1 <= k < N", "line 11: k begins at 1, but the places"),
    ],
)
def test_a_formula_that_cannot_be_used_is_told_with_its_line(text: str, said: str) -> None:
    assert said in fault(text)


@pytest.mark.parametrize(
    "text",
    [
        "y = __import__('os').system('touch /tmp/x')",
        "y = [c for c in x]",
        "y = (lambda: x)()",
        "def y(x): return x",
        "y = x.sum()",
        "y = x.tobytes()",
    ],
)
def test_no_formula_is_ever_run_as_python(text: str) -> None:
    assert fault(f"x: N\n{text}").startswith("line 11: ")
