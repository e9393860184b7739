"""Whatever is typed is read or is invalid: nothing else ever happens."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.notation import Context, Invalid, Reading, read

ENV: dict[str, Any] = {
    "W": np.arange(6.0).reshape(3, 2),
    "A": np.eye(2) + 0.5,
    "x": np.array([0.5, -1.0]),
    "dy": np.array([1.0, 2.0, -1.0]),
    "p": np.asarray(0.3),
    "N": np.asarray(3),
    "y_hat": np.ones(3),
}
SHAPES = {name: np.shape(value) for name, value in ENV.items()}
TOKENS = r"""
W A x dy p N y_hat ŷ δ δ_{ij} i j k l _ _i _{ij} [i,j] [i=j] ( ) [ ] { } + - − * / // % ^ ^T ⊤
ᵀ ² ⁻¹ ⊙ ⊘ · @ = == <= < ≥ ≠ , ; . ' | ‖ sum sum_k sum(k) Σ Σ_{i,j} prod_i max max_j min mean_i
exp log σ softmax norm tr det inv diag logsumexp relu I I_N 𝟏 𝟙 \mathbf{1} \frac{1}{N} \frac
\hat{y} \hat \sum_{k=0}^{N} \left( \right) \partial ∂ ∇ dx dx_i dx[i] ∂L/∂x if else and or for
in lambda def : 0 1 2 0.5 1e3 e π \mathbb{1} # $ & \ √ \sqrt{ ∂L/∂y W_{ki} x_i \frac{1}{N}
\frac \right) \mathbf{1} \\
""".split()  # noqa: SIM905
SHAPES_ASKED = st.sampled_from([None, (), (2,), (3, 2), (2, 2)])
NOTATION = st.sampled_from([None, "index", "matrix"])


def only_readings_or_invalid(
    text: str, notation: str | None, shape: tuple[int, ...] | None
) -> None:
    context = Context(
        SHAPES, "dx", shape, {"y_hat": "ŷ"}, ("dy",), frozenset({"N"}), first_index=len(text) % 2
    )
    reading = read(text, context, notation)
    assert isinstance(reading, Reading | Invalid)
    if isinstance(reading, Invalid):
        assert reading.message
        assert reading.column is None or reading.column >= 1
        return
    shown = reading.shown()
    if reading.notation == "numpy":
        return
    value = reading.evaluate(ENV, shape)
    assert isinstance(value, np.ndarray | Invalid)
    again = read(shown, context, reading.notation)
    assert isinstance(again, Reading), (text, shown, again)
    second = again.evaluate(ENV, shape)
    if isinstance(value, Invalid):
        # The brackets shown make clear which of two readings would have been taken.
        assert value.code == "ambiguous" or isinstance(second, Invalid), (text, shown)
    else:
        np.testing.assert_allclose(second, value, rtol=1e-9, equal_nan=True, err_msg=shown)


@given(st.text(max_size=60), NOTATION, SHAPES_ASKED)
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_text_is_read_or_invalid(
    text: str, notation: str | None, shape: tuple[int, ...] | None
) -> None:
    only_readings_or_invalid(text, notation, shape)


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(TOKENS), max_size=14),
    st.sampled_from(["", " "]),
    NOTATION,
    SHAPES_ASKED,
)
@settings(derandomize=True, deadline=None, max_examples=800)
def test_any_soup_of_tokens_is_read_or_invalid(
    tokens: list[str], between: str, notation: str | None, shape: tuple[int, ...] | None
) -> None:
    only_readings_or_invalid(between.join(tokens), notation, shape)


INDEX_ATOMS = st.sampled_from(
    [
        "x_i",
        "x[j]",
        "W_{ki}",
        "dy_k",
        "p",
        "2",
        "[i = j]",
        "A_ij",
        "N",
        "δ_{ik}",
        "A^{-1}_{ij}",
        "e^{x_i}",
    ]
)
MATRIX_ATOMS = st.sampled_from(
    ["x", "W", "A", "dy", "p", "2", "W^T", "A^{-1}", "I", "𝟏", "𝟏^T", "x^T", "σ(x)", "[x > 0]", "N"]
)


def expressions(atoms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from([" + ", " - ", " ", " * ", " ⊙ ", " / ", " · "])
    wraps = st.sampled_from(
        ["({})", "-{}", "exp({})", "sum_k {}", "sum_{{j != i}} {}", "({})^2", "max({}, 0)", "{}^2",
         "({} if p > 0 else 1)", "mean_i {}", "\\frac{{{}}}{{2}}", "tr({})", "({})^T"]
    )  # fmt: skip
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.builds(lambda a, s, b: a + s + b, inner, signs, inner),
            st.builds(lambda wrap, a: wrap.format(a), wraps, inner),
        ),
        max_leaves=8,
    )


@pytest.mark.slow
@given(expressions(INDEX_ATOMS), st.sampled_from(["", "dx_i = ", "dx_{ij} = "]), SHAPES_ASKED)
@settings(derandomize=True, deadline=None, max_examples=400)
def test_any_index_expression_is_read_or_invalid(
    text: str, left: str, shape: tuple[int, ...] | None
) -> None:
    only_readings_or_invalid(left + text, "index", shape)


@given(expressions(MATRIX_ATOMS), SHAPES_ASKED)
@settings(derandomize=True, deadline=None, max_examples=400)
def test_any_matrix_expression_is_read_or_invalid(text: str, shape: tuple[int, ...] | None) -> None:
    only_readings_or_invalid(text, "matrix", shape)
