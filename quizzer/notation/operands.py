"""Operands that do not fit, that brackets could group in two ways, or that mean two things."""

from quizzer.notation.matrix_sizes import Size, agree
from quizzer.notation.nodes import Call, Node, Product, show, without_brackets
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


def own_length(factors: list[tuple[str, Node]], divisor: Node) -> Call | None:
    """The length of v where `|v|` divides the very v that the factors are: `v / |v|`."""
    divisor = without_brackets(divisor)
    if not isinstance(divisor, Call) or divisor.function != "|":
        return None
    whole = factors[0][1] if len(factors) == 1 else Product(tuple(factors), divisor.at)
    if show(without_brackets(divisor.arguments[0])) != show(without_brackets(whole)):
        return None
    return Call("norm", divisor.arguments, divisor.at)


def with_operands(
    fault: FaultError, before: tuple[tuple[str, Node], ...], factor: Node, sign: str
) -> str:
    """A size fault with the two operands named, and with what may be missing."""
    if fault.code != "shape" or len(before) > 8:
        return fault.message
    left = one_line(show(Product(before) if len(before) > 1 else before[0][1]), 40)
    hint = "" if sign in ("⊙", "⊘") else " Is a transpose missing, or ⊙ meant?"
    return f"{left} and {one_line(show(factor), 30)}: {fault.message}{hint}"
