"""Matrix notation: what computes a node, with every size checked."""

import operator
from collections.abc import Mapping
from math import prod

import numpy as np

from quizzer.notation.compiler.arrays import COMPARE
from quizzer.notation.compiler.operands import with_operands
from quizzer.notation.compiler.part_functions import PartFunctions
from quizzer.notation.compiler.parts import Part, columns_of, layout, matrix_size, rows_of
from quizzer.notation.compiler.program import Code, Function, Program, Shape
from quizzer.notation.functions import (
    Array,
)
from quizzer.notation.matrix_sizes import OPEN, Size
from quizzer.notation.nodes import (
    Call,
    Choice,
    Compare,
    Group,
    Identity,
    Inverse,
    Logic,
    Name,
    Node,
    Number,
    Ones,
    Power,
    Product,
    Sum,
    Transpose,
    Vector,
)
from quizzer.notation.values import MAX_CELLS, FaultError


def matrix_answer(
    program: Program, names: Mapping[str, Code], node: Node, shape: Shape | None
) -> Code:
    """The value as an array; a column comes out as a vector where a vector is asked."""
    wholes = Wholes(program, names)
    part = wholes.part(node)
    if part.size.number:
        code = wholes.parts.code(part)
        fits = shape is not None and prod(shape) == 1
        return program.reshaped(code, shape) if fits and shape is not None else code
    rows, columns = wholes.lengths(part.size, shape)
    code = wholes.parts.code(wholes.filled(part, rows, columns) if part.size.open else part)
    vector = columns == 1 and (shape is None or len(shape) == 1)
    return program.reshaped(code, (rows,) if vector else (rows, columns))


def matrix_value(program: Program, names: Mapping[str, Code], node: Node) -> Code:
    """The value as an array; a row and a column come out as vectors."""
    wholes = Wholes(program, names)
    part = wholes.part(node)
    if part.size.open:
        raise FaultError(OPEN, code="open-size")
    return wholes.parts.code(part)


class Wholes:
    """Compiles nodes of matrix notation, for arrays of certain shapes."""

    def __init__(self, program: Program, names: Mapping[str, Code]) -> None:
        self.program = program
        self.names = names
        self.parts = PartFunctions(program)

    def part(self, node: Node) -> Part:
        """What computes a node. A FaultError gets the node's place if it has none yet."""
        try:
            return self._part(node)
        except FaultError as fault:
            raise fault.placed(node.at) from None

    def _part(self, node: Node) -> Part:
        match node:
            case Number(value):
                return self.parts.number(value)
            case Name(name):
                return self.parts.of_array(self.names[name])
            case Group(inner):
                return self.part(inner)
            case Identity(size):
                return self.identity(size)
            case Ones(size):
                rows = None if size is None else self.length(size)
                return Part(matrix_size(rows, 1), self.ones(rows))
            case Transpose(base):
                return self.parts.transpose(self.part(base))
            case Inverse(base):
                return self.parts.inverse(self.part(base))
            case Power(base, exponent):
                return self.parts.power(self.part(base), self.part(exponent), node.at)
            case Sum(terms):
                return self.sum(terms)
            case Product(factors):
                return self.product(factors)
            case Call(function, arguments):
                return self.parts.call(function, [self.part(argument) for argument in arguments])
            case Compare(first, rest):
                return self.compare(first, rest)
            case Logic(word, nodes):
                join = operator.and_ if word == "and" else operator.or_
                return self.joined(join, [self.truth(part) for part in map(self.part, nodes)])
            case Choice(yes, test, no):
                return self.choice(self.part(test), self.part(yes), self.part(no))
            case Vector(entries):
                return self.vector(entries)
            case _:
                raise FaultError("This belongs to index notation.", node.at, "indices")

    # Constants

    def length(self, size: Node) -> int:
        """A size that is written; the shape depends on it."""
        part = self.part(size)
        number = float(self.program.value_of(self.parts.code(part))) if part.size.number else -1.0
        if number != np.rint(number) or not 0 < number <= np.sqrt(MAX_CELLS):
            raise FaultError("A size must be a whole number.", size.at, "shape")
        return int(number)

    def identity(self, size: Node | None) -> Part:
        one = self.program.constant(1.0)
        if size is None:
            return Part(Size(identity=True), None, one)
        return self.parts.sized(Part(Size(identity=True), None, one), self.length(size))

    def ones(self, rows: int | None) -> Code:
        return self.program.constant(np.ones(rows) if rows not in (None, 1) else 1.0)

    def vector(self, entries: tuple[Node, ...]) -> Part:
        """A column of numbers, or a matrix of rows."""
        if not isinstance(entries[0], Vector):
            codes, shape = self.numbers(entries), (len(entries), 1)
        else:
            rows = [self.numbers(row.entries) for row in entries if isinstance(row, Vector)]
            codes, shape = [code for row in rows for code in row], (len(rows), len(rows[0]))
        size = matrix_size(*shape)
        kept = layout(size)

        def stacked(*values: float) -> Array:
            return np.array(values).reshape(kept)

        code = self.program.call(stacked, *codes, shape=kept, key=("vector", kept))
        return Part(size, code) if kept else self.parts.number(codes[0])

    def numbers(self, entries: tuple[Node, ...]) -> list[Code]:
        parts = [self.part(entry) for entry in entries]
        if not all(part.size.number for part in parts):
            raise FaultError("The entries of a vector are numbers here.", code="shape")
        return [self.parts.code(part) for part in parts]

    def lengths(self, size: Size, shape: Shape | None) -> tuple[int, int]:
        """The rows and columns, those that are open as in the asked array."""
        rows, columns = rows_of(size), columns_of(size)
        if rows is not None and columns is not None:
            return rows, columns
        full = (*shape, 1) if shape is not None and len(shape) == 1 else shape
        if full is None or len(full) != 2:
            raise FaultError(OPEN, code="open-size")
        return full[0] if rows is None else rows, full[1] if columns is None else columns

    def filled(self, part: Part, rows: int, columns: int) -> Part:
        """What has open sizes, with as many rows and columns."""
        if part.identity is not None:
            if rows != columns:
                raise FaultError("I is square, but the answer is not.", code="shape")
            return self.parts.sized(part, rows)
        size = matrix_size(rows, columns)
        ones = self.program.constant(np.ones(layout(size)))
        return self.parts.combined(operator.mul, [self.parts.code(part), ones], size)

    # Sums and products

    def sum(self, terms: tuple[tuple[int, Node], ...]) -> Part:
        total = self.part(terms[0][1])
        if terms[0][0] < 0:
            total = self.parts.scaled(total, self.program.constant(-1.0))
        for sign, term in terms[1:]:
            try:
                total = self.parts.add(total, self.part(term), sign)
            except FaultError as fault:
                raise FaultError(fault.message, fault.at or term.at, fault.code) from None
        return total

    def product(self, factors: tuple[tuple[str, Node], ...]) -> Part:
        """The product of the factors from left to right."""
        total = self.part(factors[0][1])
        for index, (sign, factor) in enumerate(factors[1:], 1):
            part = self.part(factor)
            try:
                total = self.times(sign, total, part)
            except FaultError as fault:
                message = with_operands(fault, factors[:index], factor, sign)
                raise FaultError(message, fault.at or factor.at, fault.code) from None
        return total

    def times(self, sign: str, a: Part, b: Part) -> Part:
        if sign == "⊙":
            return self.parts.elementwise(operator.mul, [a, b], "multiplied elementwise")
        if sign == "⊗":
            return self.parts.kronecker(a, b)
        if sign == "⊘":
            return self.parts.elementwise(operator.truediv, [a, b], "divided elementwise")
        if sign == "/":
            return self.parts.divided(a, b)
        columns = a.size.column and b.size.column
        if sign == "·" and columns and a.size.rows == b.size.rows is not None:
            return self.parts.inner(a, b)
        return self.parts.multiply(a, b)

    # Conditions

    def truth(self, part: Part) -> Part:
        return Part(part.size, self.parts.truth(part))

    def joined(self, join: Function, truths: list[Part]) -> Part:
        found = truths[0]
        for truth in truths[1:]:
            size, pair = self.parts.together([found, truth], "combined")
            found = self.parts.combined(join, list(map(self.parts.truth, pair)), size, truth=True)
        return found

    def choice(self, test: Part, yes: Part, no: Part) -> Part:
        size, parts = self.parts.together([self.truth(test), no, yes], "combined")
        holds, other, chosen = parts
        codes = [self.parts.truth(holds), self.parts.code(chosen), self.parts.code(other)]
        return self.parts.combined(np.where, codes, size)

    def compare(self, first: Node, rest: tuple[tuple[str, Node], ...]) -> Part:
        links, left = [], self.part(first)
        for sign, node in rest:
            right = self.part(node)
            links.append(self.parts.elementwise(COMPARE[sign], [left, right], "compared", True))
            left = right
        return self.joined(operator.and_, links)
