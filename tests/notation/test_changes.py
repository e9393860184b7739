"""One-change neighbours of a tree: what they change, and that they change nothing else."""

import pytest

from quizzer.notation import Context, Reading, read
from quizzer.notation.additions import enlarged
from quizzer.notation.changes import Change, Vocabulary, mended, summands
from quizzer.notation.nodes import Node, bare

INDEX = Context(shapes={"x": (3,), "y": (3,), "A": (3, 4)}, asked="z", asked_shape=(3,))
MATRIX = Context(shapes={"x": (3,), "A": (3, 3)}, asked="z", asked_shape=(3,))


def tree(text: str, context: Context) -> Node:
    reading = read(text, context)
    assert isinstance(reading, Reading)
    return reading.steps[-1].node


def index_words(letters: tuple[str, ...] = ("i",)) -> Vocabulary:
    return Vocabulary({"x": 1, "y": 1, "A": 2}, letters, whole=False)


@pytest.mark.parametrize(
    ("text", "change", "was", "now"),
    [
        ("z_i = x_i - y_i", Change.SIGN, "y[i]", "x[i] + y[i]"),
        ("z_i = x_i - y_i", Change.TERM, "y[i]", "x[i]"),
        ("z_i = x_i y_i", Change.FACTOR, "y[i]", "x[i]"),
        ("z_i = x_i / y_i", Change.OPERATOR, "y[i]", "x[i] y[i]"),
        ("z_i = x_i^2", Change.POWER, "x[i]^2", "x[i]"),
        ("z_i = x_i", Change.NAME, "x", "y[i]"),
        ("z_i = sum_j A_ij", Change.INDEX, "i", "sum(j) A[j, j]"),
        ("z_i = sum_j A_ij", Change.TRANSPOSE, "A[i, j]", "sum(j) A[j, i]"),
        ("z_i = x_i sum_j y_j", Change.SUM, "sum(j) y[j]", "x[i] y[i]"),
        ("z_i = sin(x_i)", Change.OPERATOR, "sin(x[i])", "cos(x[i])"),
        ("z_i = max(x_i, 0)", Change.OPERATOR, "max(x[i], 0)", "min(x[i], 0)"),
        ("z_i = [x_i > 0]", Change.CONDITION, "[x[i] > 0]", "[x[i] < 0]"),
    ],
)
def test_one_thing_is_changed(text: str, change: Change, was: str, now: str) -> None:
    found = mended(tree(text, INDEX), index_words())
    assert (change, was, now) in [(each.change, each.was, bare(each.node)) for each in found]


def test_matrices_are_transposed_and_exchanged() -> None:
    words = Vocabulary({"x": 1, "A": 2}, (), whole=True)
    found = [bare(each.node) for each in mended(tree("z = A^T x", MATRIX), words)]
    assert {"A x", "x A^T"} <= {*found}


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("z_i = x_i", "x[i] y[i]"),
        ("z_i = x_i", "x[i] + y[i]"),
        ("z_i = A_ij", "A[i, j] [i == j]"),
        ("z_i = x_i y_i", "x[i] (sum(iꞏ) y[iꞏ])"),
    ],
)
def test_one_thing_is_put_in(text: str, now: str) -> None:
    letters = ("i", "j") if "j" in text else ("i",)
    context = INDEX if "j" not in text else Context(shapes=INDEX.shapes, asked="z")
    node = tree(text.replace("z_i", "z_ij") if "j" in text else text, context)
    assert now in [bare(each.node) for each in enlarged(node, index_words(letters))]


def test_every_summand_is_found_with_what_is_left_without_it() -> None:
    node = tree("z_i = x_i + y_i (x_i - 1)", INDEX)
    found = [(bare(each.term), bare(each.without)) for each in summands(node)]
    assert ("x[i]", "(y[i] (x[i] - 1))") in found
    assert ("1", "x[i] + (y[i] (x[i]))") in found
