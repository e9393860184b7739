"""A part of a formula with arrays among indices: its size, and its entries as formulas."""

from collections.abc import Callable

from msgspec import Struct

from quizzer.notation.matrix_sizes import Size
from quizzer.notation.nodes import Node, Number, Product

Entry = Callable[[Node, Node], Node]
"""The entry in a row and a column."""
ZERO = Number(0.0)


class Open(Struct, frozen=True):
    """A part of the formula: its size, and its entry in a row and a column."""

    size: Size
    entry: Entry


def product_of(a: Node, b: Node, at: int | None) -> Node:
    return Product((("*", a), ("*", b)), at)
