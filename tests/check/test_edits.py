"""Neighbours of a typed answer: which there are, and that each differs in its place only."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.check.edits import MOST, edits

AXES = {"W": 2, "x": 2, "dy": 2, "b": 1}


def texts(text: str, notation: str = "numpy") -> list[str]:
    return [edit.text for edit in edits(text, AXES, notation)]


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
    ],
)
def test_a_neighbour_is_found(text: str, notation: str, neighbour: str) -> None:
    assert neighbour in texts(text, notation)


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
