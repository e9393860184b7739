"""Names with a label below them: drawn as on paper, and read again as the same names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzer.notation import Context, Invalid, read
from quizzer.notation.reading import Reading

BASES = ("h", "W", "dh", "theta", "x_hat", "gain", "d")
LABELS = ("prev", "z", "0", "12", "mu", "max_norm", "old2")
SHAPE = (3,)


@st.composite
def names(draw: st.DrawFn) -> list[str]:
    """Labelled names, and perhaps the name without its label beside them."""
    bases = draw(st.lists(st.sampled_from(BASES), min_size=2, max_size=3, unique=True))
    labelled = [f"{base}_{draw(st.sampled_from(LABELS))}" for base in bases]
    return labelled + draw(st.lists(st.sampled_from(bases), max_size=1))


@st.composite
def texts(draw: st.DrawFn) -> tuple[list[str], str]:
    """An answer in index or in matrix notation, with the names that it may use."""
    known = draw(names())
    one, two, three = (draw(st.sampled_from(known)) for _ in range(3))
    answer = f"dq_new[i] = {one}[i]^2 - Σ_j {two}[j] {three}[i] / {one}[j]"
    if draw(st.booleans()):
        answer = f"dq_new = {one} ⊙ {two} + ({two}^⊤ {three}) {one}"
    if draw(st.booleans()):
        answer = answer.replace("dq_new", "s_part") + "\ndq_new = s_part ⊙ " + three
    return known, answer


@given(texts())
def test_a_reading_with_labelled_names_is_read_again_as_the_same(
    given: tuple[list[str], str],
) -> None:
    known, text = given
    context = Context(dict.fromkeys(known, SHAPE), "dq_new", SHAPE)
    first = reading(text, context)
    again = reading(first.latex() or "", context)
    assert again.latex() == first.latex()
    env = {name: np.random.default_rng(k).uniform(1, 2, SHAPE) for k, name in enumerate(known)}
    values = [each.evaluate(env, SHAPE) for each in (first, again)]
    assert not any(isinstance(value, Invalid) for value in values), values
    np.testing.assert_array_equal(*values)


@pytest.mark.parametrize(
    "text",
    [
        r"dh_{prev} = W h_{prev}",
        r"dh_{\text{prev}} = W h_{\mathrm{prev}}",
        r"dh_{prev, i} = \sum_j W_{ij} h_{\mathrm{prev}, j}",
        r"dh_{\mathrm{prev},i} = \sum_j W_{ij} h_{\mathrm{prev}}_j",
    ],
)
def test_a_label_is_typed_in_latex_as_it_is_set(text: str) -> None:
    shapes = {"h": SHAPE, "h_prev": SHAPE, "W": (3, 3)}
    shown = reading(text, Context(shapes, "dh_prev", SHAPE)).latex()
    assert shown is not None and shown.startswith(r"\mathrm{dh}_{\mathrm{prev}")
    assert r"h_{\mathrm{prev}" in shown.partition("=")[2]


@pytest.mark.parametrize(
    "text",
    [
        r"dW_{\mathrm{ij}} = W_{\mathrm{ji}}",
        r"dW_{\mathrm{i},\mathrm{j}} = W_{\mathrm{j} , \mathrm{i}}",
        r"\frac{\partial L}{\partial W_{\text{i}, \text{j}}} = W_{\text{j}\text{i}}",
        r"dW_{\mathrm{i}j} = W_{j\mathrm{i}}",
        r"dW_{\mathrm{i}, j} = W_{j, \mathrm{i}}",
    ],
)
def test_upright_indices_are_indices(text: str) -> None:
    context = Context({"W": (3, 3)}, "dW", (3, 3))
    assert reading(text, context).shown() == "dW[i, j] = W[j, i]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"dx_i = W_{\text{0}, i}", "W[0, i]"),
        (r"dx_i = W_{\mathrm{12}, i}", "W[12, i]"),
        (r"dx_i = Σ_{jk} T_{\mathrm{ij}, k}", "T[i, j, k]"),
        (r"dx_i = W_{\mathrm{0}, i} + W_{\mathrm{1}, i}", "W_0[i] + W[1, i]"),
    ],
)
def test_upright_numbers_and_several_upright_letters_are_indices(text: str, shown: str) -> None:
    names = {"W": (13, 3), "T": (3, 3, 3)} | ({"W_0": (3,)} if "W_0" in shown else {})
    assert reading(text, Context(names, "dx", (3,))).shown().endswith(shown)


def test_an_unknown_label_of_several_letters_is_named() -> None:
    found = read(r"dx_i = W_{\text{old}, i}", Context({"W": (3, 3)}, "dx", (3,)))
    assert isinstance(found, Invalid) and found.message.startswith("W_old is not a known name")


def reading(text: str, context: Context) -> Reading:
    found = read(text, context)
    assert isinstance(found, Reading), (text, found)
    return found
