"""NumPy that is drawn as a formula, which matrix notation reads as the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzer.notation import Context, Invalid, read
from quizzer.notation.reading import Reading

SHAPES = {
    "x": (4,),
    "y": (4,),
    "W": (4, 3),
    "A": (4, 4),
    "B": (4, 4),
    "z": (3,),
    "s": (),
    "T3": (2, 2, 2),
    "c": (4, 1),
}
DRAWN = {
    "W.T @ x": r"W^{\top}\, x",
    "x @ W": r"W^{\top}\, x",
    "z @ W.T": r"W\, z",
    "2 * x * y": r"(2\, x) \odot  y",
    "x * 2": r"2\, x",
    "A @ B @ x - y / s": r"A\, B\, x - \frac{y}{s}",
    "np.outer(x, z)": r"x\, z^{\top}",
    "x * (y > 0)": r"x \odot  [y > 0]",
    "np.where(x > 0, y, 0)": r"\begin{cases} y & x > 0 \\ 0 & \text{otherwise} \end{cases}",
    "x * (x @ y) / np.sqrt(np.sum(y**2))": (
        r"\frac{x\, (x^{\top}\, y)}{\sqrt{\operatorname{sum}(y^{\odot 2})}}"
    ),
    "-np.exp(-x) + 1": r"-\exp(-x) + 1",
    "A * B": r"A \odot  B",
    "np.linalg.inv(A) @ B.T.T": r"A^{-1}\, B",
}


def reading(text: str, shape: tuple[int, ...], notation: str | None = None) -> Reading:
    found = read(text, Context(SHAPES, "dq", shape), notation)
    assert isinstance(found, Reading), (text, found)
    return found


def env() -> dict[str, object]:
    rng = np.random.default_rng(5)
    return {name: rng.uniform(-2, 2, shape) for name, shape in SHAPES.items()}


def shape_of(text: str) -> tuple[int, ...]:
    value = reading(text, (), "numpy").evaluate(env())
    assert not isinstance(value, Invalid), (text, value)
    return value.shape


def assert_same(text: str) -> str | None:
    """That a text, if it is drawn, has the value that matrix notation gives to its drawing."""
    shape = shape_of(text)
    formula = reading(text, shape, "numpy").formula()
    if formula is not None:
        one = reading(text, shape, "numpy").evaluate(env(), shape)
        other = reading(formula, shape, "matrix").evaluate(env(), shape)
        assert not isinstance(one, Invalid) and not isinstance(other, Invalid), (formula, other)
        np.testing.assert_allclose(np.squeeze(other), np.squeeze(one), err_msg=f"{text}: {formula}")
    return formula


@pytest.mark.parametrize("text", DRAWN)
def test_what_is_written_so_on_paper_is_drawn(text: str) -> None:
    assert assert_same(text) == rf"\mathrm{{dq}} = {DRAWN[text]}"
    assert assert_same(f"dq = {text}") == rf"\mathrm{{dq}} = {DRAWN[text]}"


@pytest.mark.parametrize(
    "text",
    [
        "W.sum(axis=0)",
        "A + x",
        "A * x",
        "x[:, None] * A",
        "np.exp(A)",
        "A + 1",
        "x[0] * y",
        "p = x * y\ndq = p + p",
        "def dq(x):\n    return x",
        "np.einsum('i,ij->j', x, A)",
        "T3 * T3",
        "np.max(A, 0)",
        "x * np.min(x, 0)",
    ],
)
def test_what_would_mean_something_else_or_nothing_on_paper_is_not(text: str) -> None:
    assert reading(text, shape_of(text), "numpy").formula() is None


@pytest.mark.parametrize("text", ["x * np.pi * pi", "dy / dy * x"])
def test_what_names_of_the_card_would_change_is_not(text: str) -> None:
    context = Context({"x": (4,), "pi": (), "dx": (4,), "dy": (4,)}, "dq", (4,))
    found = read(text, context, "numpy")
    assert isinstance(found, Reading) and found.formula() is None


EXPRESSIONS = st.recursive(
    st.sampled_from(["x", "y", "z", "W", "A", "B", "c", "s", "2", "0.5", "A.T", "W.T"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "@"]), inner),
        st.builds("{}({})".format, st.sampled_from(["np.tanh", "np.sum", "-", "np.abs"]), inner),
        st.builds("({} {} {}) * {}".format, inner, st.sampled_from([">", "<="]), inner, inner),
        st.builds("np.where({} > 0, {}, {})".format, inner, inner, inner),
        st.builds(
            "np.{}({}, {})".format, st.sampled_from(["outer", "dot", "maximum"]), inner, inner
        ),
        st.builds("({})**{}".format, inner, st.sampled_from(["2", "3"])),
        st.builds("({}).T".format, inner),
    ),
    max_leaves=6,
)


@given(EXPRESSIONS)
def test_a_drawing_has_the_value_of_its_expression(text: str) -> None:
    found = read(text, Context(SHAPES, "dq", ()), "numpy")
    if isinstance(found, Reading) and not isinstance(found.evaluate(env()), Invalid):
        assert_same(text)
