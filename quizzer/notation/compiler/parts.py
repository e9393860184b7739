"""Matrices of known and of open size as values of a program: sums, products, transposes.

A part is a number, or `code + identity * I`. A vector, row or column, is kept as one axis; along an
open axis, all rows or columns are equal, and one of them is kept.
"""

import operator
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.notation import matrix_sizes
from quizzer.notation.compiler.program import Code, Function, Program, Shape
from quizzer.notation.functions import Array
from quizzer.notation.matrix_sizes import NUMBER, NUMBER_AND_SQUARE, OPEN, Size
from quizzer.notation.values import MAX_CELLS, FaultError

_IDENTITY = Size(identity=True)


class Part(Struct, frozen=True):
    """A number or a matrix in one instance. Only beside an identity may its `code` be None, for 0;
    an identity has both axes open."""

    size: Size
    code: Code | None
    identity: Code | None = None


def rows_of(size: Size) -> int | None:
    return size.rows[0] if size.rows else None


def columns_of(size: Size) -> int | None:
    return size.columns[0] if size.columns else None


def matrix_size(rows: int | None, columns: int | None) -> Size:
    if rows == columns == 1:
        return NUMBER
    return Size(None if rows is None else (rows,), None if columns is None else (columns,))


def layout(size: Size) -> Shape:
    """The axes that are kept of a matrix of this size."""
    rows, columns = rows_of(size), columns_of(size)
    if size.number:
        return ()
    if rows is None or rows == 1:
        return () if columns in (None, 1) else (columns,)
    if columns == 1:
        return (rows,)
    return (rows, columns or 1)


class Parts:
    """What is computed of parts."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def number(self, value: float | Code) -> Part:
        code = value if isinstance(value, Code) else self.program.constant(value)
        return Part(NUMBER, code)

    def of_array(self, code: Code) -> Part:
        """An array of two axes at most; a vector is a column."""
        shape = code.shape
        if len(shape) > 2:
            raise FaultError(
                f"An array of {len(shape)} axes is no matrix: use index notation or NumPy.",
                code="axes",
            )
        size = matrix_size(*(*shape, 1)[:2]) if shape else NUMBER
        return Part(size, self.program.reshaped(code, layout(size)))

    def code(self, part: Part) -> Code:
        """The value of a part that holds no identity, as numbers."""
        if part.code is None or part.identity is not None:
            raise FaultError(OPEN, code="open-size")
        return self.program.number(part.code)

    def combined(
        self, function: Function, codes: list[Code], size: Size, truth: bool = False
    ) -> Part:
        """A function of what is broadcast to a matrix of this size."""
        size = matrix_sizes.settled(size)
        kept = layout(size)
        placed = [
            self.program.reshaped(code, kept) if len(code.shape) > len(kept) else code
            for code in codes
        ]
        return Part(size, self.program.call(function, *placed, shape=kept, truth=truth))

    def together(self, parts: list[Part], verb: str) -> tuple[Size, list[Part]]:
        """The size of arrays of one size, or of arrays and numbers, none of them an identity."""
        size = parts[0].size
        for part in parts[1:]:
            size = matrix_sizes.entrywise(size, part.size, verb)
        return size, [self.closed(part, size) for part in parts]

    def elementwise(
        self, function: Function, parts: list[Part], verb: str, truth: bool = False
    ) -> Part:
        """A function of every entry of arrays that fit together."""
        size, closed = self.together(parts, verb)
        return self.combined(function, [self.code(part) for part in closed], size, truth)

    def truth(self, part: Part) -> Code:
        """Where the part is not 0."""
        if part.code is not None and part.code.truth:
            return part.code
        code = self.code(part)
        return self.program.call(
            operator.ne, code, self.program.constant(0.0), shape=code.shape, truth=True
        )

    def closed(self, part: Part, size: Size) -> Part:
        """An identity given the size of the square matrix beside it."""
        count = rows_of(size)
        return part if part.identity is None or count is None else self.sized(part, count)

    def sized(self, part: Part, count: int) -> Part:
        """An identity with as many rows."""
        assert part.identity is not None
        scale = self.program.number(part.identity)
        if count == 1:
            found = self.number(scale)
        else:
            found = Part(
                matrix_size(count, count),
                self.program.call(
                    operator.mul, scale, self.program.constant(np.eye(count)), shape=(count, count)
                ),
            )
        if part.code is None:
            return found
        codes = [self.program.number(part.code), self.code(found)]
        return self.combined(operator.add, codes, found.size)

    def transpose(self, part: Part) -> Part:
        size = matrix_sizes.transposed(part.size)
        if part.code is None or part.size.number:
            return replace(part, size=size)
        if len(part.code.shape) == 2 and not part.size.open:
            return Part(size, self.program.transposed(part.code, (1, 0)))
        return replace(part, size=size, code=self.program.reshaped(part.code, layout(size)))

    def scaled(self, part: Part, factor: Code, function: Function = operator.mul) -> Part:
        """The part times a number, or by it."""
        if factor.fixed is not None and factor.fixed == 1:
            return part

        def times(code: Code | None) -> Code | None:
            if code is None:
                return None
            return self.program.call(function, self.program.number(code), factor, shape=code.shape)

        return replace(part, code=times(part.code), identity=times(part.identity))

    def add(self, a: Part, b: Part, sign: int) -> Part:
        """a + b or a - b. A number is added to every element."""
        function = operator.add if sign > 0 else operator.sub
        if a.size.number or b.size.number:
            matrix = b if a.size.number else a
            if matrix.identity is not None:
                raise FaultError(NUMBER_AND_SQUARE, code="ambiguous")
            return self.combined(function, [self.code(a), self.code(b)], matrix.size)
        size = matrix_sizes.joined(a.size, b.size, "added")
        if size.identity and size.open:
            code = self.either(function, a.code, b.code)
            return Part(_IDENTITY, code, self.either(function, a.identity, b.identity))
        a, b = self.closed(a, size), self.closed(b, size)
        return self.combined(function, [self.code(a), self.code(b)], size)

    def either(self, function: Function, a: Code | None, b: Code | None) -> Code | None:
        """a + b or a - b of two numbers, of which None is 0."""
        if a is None and b is None:
            return None
        zero = self.program.constant(0.0)
        return self.program.call(function, a or zero, b or zero, shape=())

    # Products

    def multiply(self, a: Part, b: Part) -> Part:
        """The matrix product; two columns of one length give no product."""
        if a.size.number:
            return self.scaled(b, self.code(a))
        if b.size.number:
            return self.scaled(a, self.code(b))
        if a.identity is None and b.identity is None:
            return self.product(a, b)
        if a.identity is not None and b.identity is not None:
            return self.of_identities(a, b, a.identity, b.identity)
        mixed, plain = (a, b) if a.identity is not None else (b, a)
        assert mixed.identity is not None
        found = self.scaled(plain, mixed.identity)
        if mixed.code is None:
            return found
        ones = replace(mixed, size=Size(), identity=None)
        first, second = (ones, plain) if mixed is a else (plain, ones)
        return self.add(self.product(first, second), found, 1)

    def of_identities(self, a: Part, b: Part, a_scale: Code, b_scale: Code) -> Part:
        if a.code is not None and b.code is not None:
            raise FaultError(OPEN, code="open-size")
        scale = self.program.call(operator.mul, a_scale, b_scale, shape=())
        code, other = (a.code, b_scale) if b.code is None else (b.code, a_scale)
        if code is not None:
            code = self.program.call(operator.mul, code, other, shape=())
        return Part(_IDENTITY, code, scale)

    def product(self, a: Part, b: Part) -> Part:
        size = matrix_sizes.times(a.size, b.size)
        left, right = self.code(a), self.code(b)
        rows, columns = rows_of(a.size), columns_of(b.size)
        if (rows or 1) * (columns or 1) > MAX_CELLS:
            raise FaultError("This product is too large.", code="too-large")
        length = columns_of(a.size)
        if length is None:
            right = self.summed(right, 0, rows_of(b.size))
        elif rows_of(b.size) is None:
            left = self.summed(left, 1, length)
        elif length > 1:
            shape = left.shape[:-1] + right.shape[1:]
            code = self.program.call(np.dot, left, right, shape=shape)
            return Part(size, self.program.reshaped(code, layout(size)))
        if left.shape and right.shape:
            left = self.program.reshaped(left, (rows or 1, 1))
        shape = np.broadcast_shapes(left.shape, right.shape)
        code = self.program.call(operator.mul, left, right, shape=shape)
        return Part(size, self.program.reshaped(code, layout(size)))

    def summed(self, code: Code, axis: int, length: int | None) -> Code:
        """The sum of the rows or columns, as many as `length`."""
        if length in (None, 1):
            return code
        if len(code.shape) == 1 or code.shape[1] == 1:
            return self.program.call(_sum, code, shape=())
        along = _sum_of_rows if axis == 0 else _sum_of_columns
        return self.program.call(along, code, shape=(code.shape[1 - axis],))


def _sum(array: Array) -> Any:
    return np.add.reduce(array, None)


def _sum_of_rows(array: Array) -> Any:
    return np.add.reduce(array, 0)


def _sum_of_columns(array: Array) -> Any:
    return np.add.reduce(array, 1)
