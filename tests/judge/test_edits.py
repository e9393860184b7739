"""Neighbours of a typed answer: which there are, and that each differs in its place only."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.judge.edits import MOST, edits

AXES = {"W": 2, "x": 2, "dy": 2, "b": 1}


def texts(text: str, notation: str = "numpy") -> list[str]:
    return [edit.text.strip() for edit in edits(text, AXES, notation)]


@pytest.mark.parametrize(
    ("text", "notation", "neighbour"),
    [
        ("dy @ x", "numpy", "dy @ x.T"),
        ("dy @ x.T", "numpy", "dy @ x"),
        ("dy x^T", "matrix", "dy x"),
        ("dy x^\\top", "matrix", "dy x"),
        ("dy x", "matrix", "dy^T x"),
        ("dy + W", "numpy", "dy - W"),
        ("dy * W", "numpy", "dy @ W"),
        ("dy * W", "numpy", "x * W"),
        ("W**2", "numpy", "W**3"),
        ("dW[i,j] = dy[i,i] b[j]", "index", "dW[i,j] = dy[i,j] b[j]"),
        ("s = x\ndW = s + dy", "numpy", "s = x\ndW = s - dy"),
        ("s = x + dy\ndW = s", "numpy", "s = x - dy\ndW = s"),
        ("sum(dy * W, axis=0)", "numpy", "sum(x * W, axis=0)"),
        ("sum(dy, axis=0)", "numpy", "sum(dy, axis=1)"),
        ("1 - W", "numpy", "1 - W**2"),
        ("dW_ij = W_ij", "index", "dW_ij = W_ij^2"),
        ("dW_ij = W_ji", "index", "dW_ij = W_ij"),
        ("dW[i,j] = W[j,i]", "index", "dW[i,j] = W[i,j]"),
        ("dW_ij = dy_ij b_j", "index", "dW_ij = x_ij b_j"),
        ("dW_ij = [i >= j]", "index", "dW_ij = [i <= j]"),
        ("exp(b)", "numpy", "exp(-b)"),
        ("dy * x + W", "numpy", "dy  + W"),
        ("dy + W", "numpy", "dy"),
        ("dy - W", "numpy", "- W"),
    ],
)
def test_a_neighbour_is_found(text: str, notation: str, neighbour: str) -> None:
    assert neighbour in texts(text, notation)


def test_names_are_exchanged_as_the_card_writes_them() -> None:
    found = edits("α W", {"a": 0, "c": 0, "W": 2}, "matrix", {"a": "α", "c": "γ"})
    assert "γ W" in [edit.text for edit in found]


@pytest.mark.parametrize(
    ("text", "changed", "where", "advice"),
    [
        ("dy + W", "dy - W", "the sign of the second term", "Write “-” instead of “+”"),
        ("dy + W", "dy", "Do you need the second term?", "Leave out “+ W”."),
        ("dy @ x", "dy @ x.T", "“x” in “dy @ x”", "Write “x.T” instead of “x”."),
    ],
)
def test_it_tells_where_and_then_what(text: str, changed: str, where: str, advice: str) -> None:
    edit = next(e for e in edits(text, AXES, "numpy") if e.text.strip() == changed)
    assert where in edit.place(text)
    assert advice in edit.advice()


def test_the_left_side_stays() -> None:
    assert all(text.startswith("dW = ") for text in texts("dW = W @ x"))


def test_names_are_exchanged_for_those_with_as_many_axes() -> None:
    assert "b @ x" not in texts("W @ x")


def test_the_place_is_shown_with_what_stands_beside_it() -> None:
    text = "s = W\ndW = s + dy @ x.T"
    (edit,) = [e for e in edits(text, AXES, "numpy") if e.text == text.replace("+", "-")]
    assert edit.around(text) == "“+” in “dW = s + dy @ x.”"


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.text(alphabet="Wxdyb @*+-/.T()[]^=\n123", max_size=40))
def test_every_neighbour_differs_at_its_place_only(text: str) -> None:
    found = edits(text, AXES, "numpy")
    assert len(found) <= MOST
    for edit in found:
        assert edit.text != text
        assert edit.text[: edit.start] == text[: edit.start]
