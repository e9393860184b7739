"""Operands that do not fit, that brackets could group in two ways, or that mean two things."""

from collections.abc import Callable

from quizzer.notation.matrix_sizes import Size, agree
from quizzer.notation.nodes import Call, Group, Node, Power, Product, show
from quizzer.notation.values import FaultError
from quizzer.text import one_line


def check_grouping(left: list[Size], right: list[Size]) -> None:
    """Refuses `A B ⊙ C` where both (A B) ⊙ C and A (B ⊙ C) have fitting sizes."""
    left = [size for size in left if not size.number]
    right = [size for size in right if not size.number]
    if not left or not right or max(len(left), len(right)) < 2:
        return
    last, first = left[-1], right[0]
    if agree(last.rows, first.rows) and agree(last.columns, first.columns):
        raise FaultError("Which is meant, (A B) ⊙ C or A (B ⊙ C)? Add brackets.", code="ambiguous")


def with_lengths(node: Node, is_vector: Callable[[Node], bool]) -> Node | None:
    """The divisor with a length for the bars of each vector that is a factor of it; None if it
    has no such bars."""
    match node:
        case Group(inner, at):
            found = with_lengths(inner, is_vector)
            return found and Group(found, at)
        case Power(base, exponent, at):
            found = with_lengths(base, is_vector)
            return found and Power(found, exponent, at)
        case Product(factors, at):
            parts = [(sign, with_lengths(factor, is_vector)) for sign, factor in factors]
            if not any(part for _, part in parts):
                return None
            pairs = zip(parts, factors, strict=True)
            return Product(tuple((sign, new or old) for (sign, new), (_, old) in pairs), at)
        case Call("|", (inner,), at) if is_vector(inner):
            return Call("norm", (inner,), at)
    return None


def with_operands(
    fault: FaultError, before: tuple[tuple[str, Node], ...], factor: Node, sign: str
) -> str:
    """A size fault with the two operands named, and with what may be missing."""
    if fault.code != "shape" or len(before) > 8:
        return fault.message
    left = one_line(show(Product(before) if len(before) > 1 else before[0][1]), 40)
    hint = "" if sign in ("⊙", "⊘") else " Is a transpose missing, or ⊙ meant?"
    return f"{left} and {one_line(show(factor), 30)}: {fault.message}{hint}"
