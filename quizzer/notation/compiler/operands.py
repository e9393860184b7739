"""Operands that do not fit, that brackets could group in two ways, or that mean two things."""

from collections.abc import Callable

from quizzer.notation import matrix_sizes
from quizzer.notation.matrix_sizes import Size, agree
from quizzer.notation.nodes import Call, Group, Name, Node, Power, Product, show, walk
from quizzer.notation.values import FaultError
from quizzer.text import one_line

STAR = (
    "An elementwise product needs two equal sizes; for the matrix product put the matrices side "
    "by side."
)
TWO_BARS = (
    "Is this divided by the size of each entry or by the length? Write ‖x‖ for the length, "
    "abs(x) for the entries."
)
TWO_STARS = (
    "Is this the elementwise or the matrix product? Write ⊙ for the elementwise one, or put the "
    "matrices side by side."
)


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


def multiplies(before: list[tuple[str, Node]], factor: Node, a: Size, b: Size) -> bool:
    """Whether this is a product of two vectors, `p (1 - p)`, and no function's value, `φ(x)`."""
    if not (a.vector and a.rows and a.columns and (a.rows, a.columns) == (b.rows, b.columns)):
        return False
    last = before[-1][1]
    if not (isinstance(last, Name) and isinstance(factor, Group)):
        return True
    return any(isinstance(part, Name) and part.name == last.name for part in walk(factor))


def combined(sign: str, a: Size, b: Size) -> Size:
    """The size of what ⊙, ⊘ or ⊗ gives."""
    if sign == "⊗":
        return matrix_sizes.kronecker(a, b)
    verb = "multiplied elementwise" if sign == "⊙" else "divided elementwise"
    return matrix_sizes.entrywise(a, b, verb)
