"""The sizes in a matrix formula, told by the card's shapes and never by one instance.

Two lengths are the same where they agree in all examples of the card. Signs with more than one
meaning, such as `x · y` and `h^2`, are replaced here by what alone fits.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from quizzer.notation.functions import ELEMENTWISE, SQUARE_ONLY
from quizzer.notation.values import FaultError

NUMBER_AND_SQUARE = (
    "A number and a square matrix: add the number times I, or times 1 1^T "
    "(\\mathbf{1} \\mathbf{1}^T)."
)
OPEN = "This leaves the size of I or of the ones open: write it, as in I_n or 1_N."
Length = tuple[int, ...]
"""How long an axis is in each example."""
ANY: Length = ()
"""A length that is not known: it fits every other."""


class Size(Struct, frozen=True):
    """The size of a number or a matrix; an axis that is None takes the length that will fit."""

    rows: Length | None = None
    columns: Length | None = None
    number: bool = False
    identity: bool = False
    equal: bool = False
    """Whether it is square though its length is not known."""

    @property
    def open(self) -> bool:
        return not self.number and None in (self.rows, self.columns)

    @property
    def column(self) -> bool:
        return not self.number and _is_one(self.columns)

    @property
    def vector(self) -> bool:
        return not self.number and (_is_one(self.rows) or _is_one(self.columns))

    @property
    def square(self) -> bool:
        if self.number or self.open:
            return False
        return self.equal or (self.rows == self.columns != ANY)

    def shown(self) -> str:
        """`3×5`, as in the first example."""
        if self.number:
            return "a number"
        return "×".join(str(axis[0]) if axis else "?" for axis in (self.rows, self.columns))


NUMBER = Size(number=True)
UNKNOWN = Size(ANY, ANY)


def _is_one(length: Length | None) -> bool:
    return bool(length) and set(length or ()) == {1}


def agree(a: Length | None, b: Length | None) -> bool:
    return not a or not b or a == b


def of_shape(axes: Sequence[Length]) -> Size:
    """A vector is a column; one of length 1 is a number, as a matrix of 1×1 is."""
    if not axes or all(map(_is_one, axes)):
        return NUMBER
    if len(axes) > 2:
        return UNKNOWN
    return Size(axes[0], axes[1] if len(axes) == 2 else (1,) * max(len(axes[0]), 1))


def one(a: Length | None, b: Length | None) -> Length | None:
    """The length that both have, as far as it is known."""
    return a or b or (None if a is None and b is None else ANY)


def settled(size: Size) -> Size:
    """A 1×1 matrix is a number; an identity beside something of known size gets that size."""
    if size.number or (size.open and not size.identity):
        return size
    if size.identity and not (size.rows is None and size.columns is None):
        length = one(size.rows, size.columns)
        return Size(length, length, equal=True)
    if _is_one(size.rows) and _is_one(size.columns):
        return NUMBER
    return size


def added(a: Size, b: Size, verb: str = "added") -> Size:
    """The size of a sum. A number is added to every entry, but not to a square matrix."""
    if a.number and b.number:
        return NUMBER
    if a.number or b.number:
        matrix = b if a.number else a
        if matrix.square or matrix.identity:
            raise FaultError(NUMBER_AND_SQUARE, code="ambiguous")
        return matrix
    return joined(a, b, verb)


def joined(a: Size, b: Size, verb: str) -> Size:
    """The size of two arrays of one size, or of an array and a number, entry by entry."""
    if a.number or b.number:
        return b if a.number else a
    if not (agree(a.rows, b.rows) and agree(a.columns, b.columns)):
        raise FaultError(f"{a.shown()} and {b.shown()} cannot be {verb}.", code="shape")
    for first, second in ((a, b), (b, a)):
        fixed = not second.open and not second.identity
        if first.identity and fixed and not agree(second.rows, second.columns):
            raise FaultError(
                f"I is square, but it stands beside a {second.shown()} matrix.", code="shape"
            )
    identity = a.identity or b.identity
    rows, columns = one(a.rows, b.rows), one(a.columns, b.columns)
    return settled(Size(rows, columns, identity=identity, equal=a.square or b.square))


def entrywise(a: Size, b: Size, verb: str) -> Size:
    """As `joined`, of what has entries: an identity needs a matrix beside it."""
    for first, second in ((a, b), (b, a)):
        if first.identity and (second.number or second.identity or second.open):
            raise FaultError(OPEN, code="open-size")
    return joined(a, b, verb)


def times(a: Size, b: Size) -> Size:
    """The size of the matrix product."""
    if a.number or b.number:
        return b if a.number else a
    if a.identity or b.identity:
        return b if a.identity else a
    if a.columns is None and b.rows is None:
        raise FaultError(OPEN, code="open-size")
    if not agree(a.columns, b.rows):
        raise FaultError(f"{a.shown()} times {b.shown()} is no matrix product.", code="shape")
    return settled(Size(a.rows, b.columns))


def kronecker(a: Size, b: Size) -> Size:
    if a.open or b.open:
        raise FaultError(OPEN, code="open-size")
    if a.column and b.column:
        return settled(Size(a.rows, b.rows))
    if a.number or b.number:
        return b if a.number else a
    return settled(Size(_product(a.rows, b.rows), _product(a.columns, b.columns)))


def _product(a: Length | None, b: Length | None) -> Length:
    return tuple(x * y for x, y in zip(a, b, strict=False)) if a and b else ANY


def divided(a: Size, b: Size) -> Size:
    if b.number:
        return a
    if b.vector and (a.number or a.vector):
        return entrywise(a, b, "divided elementwise")
    raise FaultError(
        "A matrix cannot stand under a slash: write A^{-1}, or ⊘ for elementwise division.",
        code="shape",
    )


def must_be_square(size: Size, what: str) -> None:
    if size.open:
        raise FaultError(OPEN, code="open-size")
    if not size.number and not agree(size.rows, size.columns):
        raise FaultError(f"{what} needs a square matrix, this is {size.shown()}.", code="shape")


def transposed(size: Size) -> Size:
    return replace(size, rows=size.columns, columns=size.rows)


def of_call(function: str, sizes: Sequence[Size]) -> Size:
    """The size of what a function gives."""
    size = sizes[0]
    if function == "^⊙":
        if not sizes[1].number:
            raise FaultError("An exponent must be a number.", code="shape")
        return size
    if function in ("inner", "dot"):
        joined(size, sizes[1], "multiplied elementwise")
        return NUMBER
    if function == "outer":
        first, second = sizes
        if not (first.column and second.column):
            raise FaultError("outer takes two vectors: outer(x, y) is x y^T.", code="shape")
        return settled(Size(first.rows, second.rows))
    if function == "kron":
        return kronecker(*sizes)
    if function == "clip":
        if not (sizes[1].number and sizes[2].number):
            size = entrywise(entrywise(size, sizes[1], "compared"), sizes[2], "compared")
        return size
    if function == "Φ" and size.square:
        raise FaultError("Φ acts on numbers here, not on a matrix.", code="ambiguous")
    if len(sizes) > 1:
        for other in sizes[1:]:
            size = entrywise(size, other, "compared")
        return size
    if function in ELEMENTWISE:
        if size.identity:
            raise FaultError(OPEN, code="open-size")
        return size
    if size.open:
        raise FaultError(OPEN, code="open-size")
    if function in SQUARE_ONLY:
        must_be_square(size, function)
        if function == "eigenvalues":
            return Size(size.rows, _ones(size.rows))
        return NUMBER if function in ("tr", "det", "logdet") else size
    if function == "pinv":
        return transposed(size)
    if function == "rowsum":
        return NUMBER if size.vector else Size(size.rows, None)
    if function == "diag" and not size.number:
        if size.vector:
            length = size.rows if size.column else size.columns
            return Size(length, length, equal=True)
        return Size(size.rows if agree(size.rows, size.columns) else ANY, _ones(size.rows))
    if function == "logsumexp" and not (size.number or size.vector):
        raise FaultError("logsumexp takes a vector here.", code="shape")
    return size if function in ("softmax", "diag") else NUMBER


def _ones(like: Length | None) -> Length:
    return (1,) * max(len(like or ()), 1)


def must_close(size: Size, asked: Sequence[Length] | None) -> None:
    """Raises where an answer that is I and more, of open size, cannot be the asked array."""
    if size.identity and asked is not None and (len(asked) != 2 or not agree(*asked)):
        raise FaultError("I is square, but the answer is not.", code="shape")


def fits(size: Size, asked: Sequence[Length] | None) -> bool:
    """Whether an answer of this size may be the asked array."""
    if asked is None or size.open:
        return True
    wanted = of_shape(asked)
    if size.number or wanted.number:
        return size.number == wanted.number
    as_row = len(asked) == 1 and _is_one(size.rows)
    turned = transposed(size) if as_row else size
    return agree(turned.rows, wanted.rows) and agree(turned.columns, wanted.columns)


def axes_of(size: Size) -> tuple[Length, ...] | None:
    """The lengths of the axes of an array of this size; a column is a vector."""
    if size.number:
        return ()
    if size.open or not (size.rows and size.columns):
        return None
    return (size.rows,) if size.column else (size.rows, size.columns)


def of_table(names: Mapping[str, tuple[Length, ...]]) -> dict[str, Size]:
    return {name: of_shape(axes) for name, axes in names.items()}
