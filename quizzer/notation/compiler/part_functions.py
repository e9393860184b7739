"""Functions, quotients and powers of whole matrices, with every size checked."""

import operator
from math import prod

import numpy as np
from msgspec.structs import replace

from quizzer.notation import matrix_sizes
from quizzer.notation.compiler.parts import Part, Parts, columns_of, layout, rows_of
from quizzer.notation.compiler.program import Code, Function
from quizzer.notation.functions import (
    ELEMENTWISE,
    PAIRS,
    SQUARE_ONLY,
    WHOLE,
    Array,
    eigenvalues,
    logsumexp,
    pinv,
    rowsum,
    softmax,
)
from quizzer.notation.matrix_sizes import OPEN, Size, must_be_square
from quizzer.notation.values import MAX_CELLS, FaultError

_MAX_POWER = 100
_TOTALS: dict[str, Function] = {
    "sum": np.sum,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
    "norm": lambda a: np.sqrt(np.vdot(a, a)),
}
_OF_SQUARE: dict[str, Function] = {
    "tr": np.trace,
    "det": np.linalg.det,
    "logdet": WHOLE["logdet"],
}
_OF_NUMBER: dict[str, Function] = {"expm": np.exp, "logdet": np.log, "chol": np.sqrt}


class PartFunctions(Parts):
    """What is computed of parts, with the functions that have a name or a sign of their own."""

    def inner(self, a: Part, b: Part) -> Part:
        """The sum of the products of all entries."""
        size, (a, b) = self.together([a, b], "multiplied elementwise")
        left, right = self.code(a), self.code(b)
        if size.number or left.shape != right.shape or not left.shape:
            product = self.combined(operator.mul, [left, right], size)
            return self.number(self.program.call(np.sum, self.code(product), shape=()))
        multiply = np.dot if len(left.shape) == 1 else np.vdot
        return self.number(self.program.call(multiply, left, right, shape=()))

    def kronecker(self, a: Part, b: Part) -> Part:
        """Kronecker's product: b in every place of a, times the number there."""
        size = matrix_sizes.kronecker(a.size, b.size)
        if a.size.number or b.size.number:
            return self.multiply(a, b)
        if a.size.column and b.size.column:
            return self.multiply(a, self.transpose(b))
        first, second = self.two_axes(a), self.two_axes(b)
        if prod(first.shape) * prod(second.shape) > MAX_CELLS:
            raise FaultError("This product has too many cells.", code="too-large")
        shape = (rows_of(size) or 1, columns_of(size) or 1)
        code = self.program.call(_kron, first, second, shape=shape)
        return Part(size, self.program.reshaped(code, layout(size)))

    def two_axes(self, part: Part) -> Code:
        shape = (rows_of(part.size) or 1, columns_of(part.size) or 1)
        return self.program.reshaped(self.code(part), shape)

    def divided(self, a: Part, b: Part) -> Part:
        if b.size.number:
            return self.scaled(a, self.code(b), operator.truediv)
        if b.size.vector and (a.size.number or a.size.vector):
            return self.elementwise(operator.truediv, [a, b], "divided elementwise")
        raise FaultError(
            "A matrix cannot stand under a slash: write A^{-1}, or ⊘ for elementwise division.",
            code="shape",
        )

    def inverse(self, part: Part) -> Part:
        one = self.program.constant(1.0)
        if part.size.number:
            code = self.program.call(operator.truediv, one, self.code(part), shape=())
            return self.number(code)
        if part.identity is not None and part.code is None:
            scale = self.program.call(operator.truediv, one, part.identity, shape=())
            return replace(part, identity=scale)
        must_be_square(part.size, "An inverse")
        code = self.code(part)
        return Part(part.size, self.program.call(np.linalg.inv, code, shape=code.shape))

    def power(self, base: Part, exponent: Part, at: int | None) -> Part:
        if not exponent.size.number:
            raise FaultError("An exponent must be a number.", code="shape")
        above = self.code(exponent)
        if base.size.number:
            code = self.code(base)
            if above.fixed == 2:
                return self.number(self.program.call(operator.mul, code, code, shape=()))
            return self.number(self.program.call(operator.pow, code, above, shape=()))
        must_be_square(base.size, "A power")

        def run(array: Array, number: float) -> Array:
            if number != round(number) or abs(number) > _MAX_POWER:
                raise FaultError("A matrix power must be a small whole number.", at, "shape")
            return np.linalg.matrix_power(array, int(number))

        code = self.code(base)
        found = self.program.call(run, code, above, shape=code.shape, key=("power", at))
        return Part(base.size, found)

    def call(self, function: str, parts: list[Part]) -> Part:
        part = parts[0]
        if function in PAIRS or function == "^⊙":
            return self.of_several(function, parts)
        if len(parts) > 1:
            join = np.maximum if function == "max" else np.minimum
            for other in parts[1:]:
                part = self.elementwise(join, [part, other], "compared")
            return part
        if function in ELEMENTWISE:
            return self.elementwise(ELEMENTWISE[function], [part], "computed")
        if part.size.open:
            raise FaultError(OPEN, code="open-size")
        code = self.code(part)
        if function in _TOTALS:
            return self.number(self.program.call(_TOTALS[function], code, shape=()))
        if function in SQUARE_ONLY:
            return self.of_square(function, part)
        if function == "pinv":
            return self.pseudo_inverse(part)
        if function == "rowsum":
            return self.row_sums(part)
        if function == "diag":
            return self.diagonal(part)
        if function == "logsumexp":
            return self.log_of_sum(part)
        if part.size.number:
            return self.number(1.0)  # softmax of one number
        return Part(part.size, self.program.call(softmax, code, shape=code.shape))

    def of_several(self, function: str, parts: list[Part]) -> Part:
        first, second = parts[:2]
        if function == "^⊙":
            return self.elementwise(operator.pow, [first, second], "raised")
        if function in ("inner", "dot"):
            return self.inner(first, second)
        if function == "clip":
            above = self.elementwise(np.maximum, [first, second], "compared")
            return self.elementwise(np.minimum, [above, parts[2]], "compared")
        return self.kronecker(first, second)

    def of_square(self, function: str, part: Part) -> Part:
        code = self.code(part)
        if function == "inv":
            return self.inverse(part)
        if part.size.number:
            of_number = _OF_NUMBER.get(function)
            return part if of_number is None else self.apply(of_number, code)
        must_be_square(part.size, function)
        if function == "eigenvalues":
            return self.of_array(self.program.call(eigenvalues, code, shape=code.shape[:1]))
        if function in ("expm", "chol", "eigenvectors"):
            return Part(part.size, self.program.call(WHOLE[function], code, shape=code.shape))
        return self.apply(_OF_SQUARE[function], code)

    def apply(self, function: Function, code: Code) -> Part:
        """A function that gives a number."""
        return self.number(self.program.call(function, code, shape=()))

    def pseudo_inverse(self, part: Part) -> Part:
        if part.size.number:
            return self.inverse(part)
        size = matrix_sizes.transposed(part.size)
        code = self.two_axes(part)
        found = self.program.call(pinv, code, shape=code.shape[::-1])
        return Part(size, self.program.reshaped(found, layout(size)))

    def row_sums(self, part: Part) -> Part:
        """A column that stands for as many as are needed; of a vector, its sum."""
        code = self.code(part)
        if len(code.shape) < 2:
            return self.apply(np.sum, code)
        size = Size(part.size.rows)
        return Part(size, self.program.call(rowsum, code, shape=layout(size)))

    def diagonal(self, part: Part) -> Part:
        code = self.code(part)
        if len(code.shape) == 2:
            count = min(code.shape)
            found = self.program.call(np.diag, code, shape=(count,), view=True)
            return self.of_array(found)
        count = code.shape[0] if code.shape else 1
        return self.of_array(self.program.call(np.diag, code, shape=(count, count)))

    def log_of_sum(self, part: Part) -> Part:
        if not (part.size.vector or part.size.number):
            raise FaultError("logsumexp takes a vector here.", code="shape")
        return part if part.size.number else self.apply(logsumexp, self.code(part))


def _kron(a: Array, b: Array) -> Array:
    """As `np.kron`, of two matrices and without its many steps."""
    blocks = a[:, None, :, None] * b[None, :, None, :]
    return blocks.reshape(a.shape[0] * b.shape[0], -1)
