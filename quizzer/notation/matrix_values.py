"""Matrices whose size may still be open: numbers, columns, matrices, the identity, ones."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from quizzer.notation.functions import Array
from quizzer.notation.values import MAX_CELLS, FaultError

NUMBER_AND_SQUARE = (
    "A number and a square matrix: add the number times I, or times 1 1^T "
    "(\\mathbf{1} \\mathbf{1}^T)."
)
OPEN = "This leaves the size of I or of the ones open: write it, as in I_n or 1_N."


@dataclass(frozen=True, slots=True)
class Value:
    """A number (0-d `array`), or a matrix `array + identity * I`.

    Along an open axis the array has length 1 and stands for equal rows or columns, as many as
    will be needed. `identity` is other than 0 only while both axes are open.
    """

    array: Array
    open_rows: bool = False
    open_columns: bool = False
    identity: float = 0.0

    @property
    def is_number(self) -> bool:
        return self.array.ndim == 0

    @property
    def is_open(self) -> bool:
        return self.open_rows or self.open_columns

    @property
    def rows(self) -> int | None:
        return None if self.open_rows else int(self.array.shape[0])

    @property
    def columns(self) -> int | None:
        return None if self.open_columns else int(self.array.shape[1])

    @property
    def is_vector(self) -> bool:
        return not self.is_number and 1 in (self.rows, self.columns)

    def size(self) -> str:
        """`3×5`, with a question mark for what is open."""
        if self.is_number:
            return "a number"
        return f"{self.rows or '?'}×{self.columns or '?'}"


def from_array(array: Array) -> Value:
    """A vector becomes a column; more than two axes are a fault."""
    values = np.asarray(array, float)
    if values.ndim > 2:
        raise FaultError(
            f"An array of {values.ndim} axes is no matrix: use index notation or NumPy.",
            code="axes",
        )
    return settled(Value(values[:, None] if values.ndim == 1 else values))


def settled(value: Value) -> Value:
    """A 1×1 matrix is a number; an identity beside something of known size gets that size."""
    if value.is_number:
        return value
    if value.identity and not (value.open_rows and value.open_columns):
        size = value.rows or value.columns or 0
        if value.rows is not None and value.columns is not None and value.rows != value.columns:
            raise FaultError(
                f"I is square, but it stands beside a {value.size()} matrix.", code="shape"
            )
        full = np.broadcast_to(value.array, (size, size)) + value.identity * np.eye(size)
        return settled(Value(full))
    if not value.is_open and value.array.shape == (1, 1):
        return Value(value.array.reshape(()))
    return value


def transpose(value: Value) -> Value:
    if value.is_number:
        return value
    return Value(value.array.T, value.open_columns, value.open_rows, value.identity)


def scale(value: Value, factor: float | Array) -> Value:
    return Value(
        value.array * factor,
        value.open_rows,
        value.open_columns,
        float(value.identity * factor) if value.identity else 0.0,
    )


def add(a: Value, b: Value, sign: int) -> Value:
    """a + b or a - b. A number is added to every element."""
    if a.is_number and b.is_number:
        return Value(np.asarray(a.array + sign * b.array))
    if a.is_number or b.is_number:
        matrix = b if a.is_number else a
        if matrix.identity:
            raise FaultError(NUMBER_AND_SQUARE, code="ambiguous")
        return Value(np.asarray(a.array + sign * b.array), matrix.open_rows, matrix.open_columns)
    check_equal(a, b, "added")
    return settled(
        Value(
            np.asarray(a.array + sign * b.array),
            a.open_rows and b.open_rows,
            a.open_columns and b.open_columns,
            a.identity + sign * b.identity,
        )
    )


def check_equal(a: Value, b: Value, verb: str) -> None:
    """Raises where two matrices have different sizes."""
    for first, second in ((a.rows, b.rows), (a.columns, b.columns)):
        if first is not None and second is not None and first != second:
            raise FaultError(f"{a.size()} and {b.size()} cannot be {verb}.", code="shape")


def elementwise(function: Callable[[Array, Array], Array], a: Value, b: Value, verb: str) -> Value:
    """A function of two arrays of one size, or of an array and a number."""
    if a.is_number or b.is_number:
        matrix = b if a.is_number else a
        if matrix.identity:
            raise FaultError(OPEN, code="open-size")
        if matrix.is_number:
            return Value(np.asarray(function(a.array, b.array)))
        return Value(np.asarray(function(a.array, b.array)), matrix.open_rows, matrix.open_columns)
    check_equal(a, b, verb)
    a, b = fitted(a, b), fitted(b, a)
    if a.identity or b.identity:
        raise FaultError(OPEN, code="open-size")
    return settled(
        Value(
            np.asarray(function(a.array, b.array)),
            a.open_rows and b.open_rows,
            a.open_columns and b.open_columns,
        )
    )


def fitted(a: Value, b: Value) -> Value:
    """An identity given the size of the square matrix beside it."""
    if not a.identity or b.rows is None or b.rows != b.columns:
        return a
    size = b.rows
    return Value(np.broadcast_to(a.array, (size, size)) + a.identity * np.eye(size))


def multiply(a: Value, b: Value) -> Value:
    """The matrix product; two columns of one length give no product, see `dot`."""
    if a.is_number or b.is_number:
        return scale(b, a.array) if a.is_number else scale(a, b.array)
    if a.identity and b.identity:
        if np.any(a.array) and np.any(b.array):
            raise FaultError(OPEN, code="open-size")
        array = a.array * b.identity + a.identity * b.array
        return Value(array, True, True, a.identity * b.identity)
    if a.identity:
        return add(_ones_part(a, b), scale(b, a.identity), 1)
    if b.identity:
        return add(_ones_part(a, b), scale(a, b.identity), 1)
    return _plain_product(a, b)


def _ones_part(a: Value, b: Value) -> Value:
    """The product without the identity that one of the two holds."""
    plain_a = Value(a.array, a.open_rows, a.open_columns)
    plain_b = Value(b.array, b.open_rows, b.open_columns)
    if not np.any(a.array) or not np.any(b.array):
        return Value(np.zeros((1, 1)), True, True)
    return _plain_product(plain_a, plain_b)


def _plain_product(a: Value, b: Value) -> Value:
    if a.columns is None and b.rows is None:
        raise FaultError(OPEN, code="open-size")
    if a.columns is not None and b.rows is not None and a.columns != b.rows:
        raise FaultError(f"{a.size()} times {b.size()} is no matrix product.", code="shape")
    left, right = a.array, b.array
    if a.columns is None:
        right = right.sum(axis=0, keepdims=True)
    elif b.rows is None:
        left = left.sum(axis=1, keepdims=True)
    if left.shape[0] * right.shape[1] > MAX_CELLS:
        raise FaultError("This product is too large.", code="too-large")
    return settled(Value(np.asarray(left @ right), a.open_rows, b.open_columns))


def result(value: Value, shape: tuple[int, ...] | None) -> Array:
    """The array to hand out: open sizes and columns take the form of the asked shape."""
    array = value.array
    if value.is_number:
        fits = shape is not None and int(np.prod(shape)) == 1
        return np.asarray(array.reshape(shape) if fits and shape is not None else array)
    if value.is_open:
        array = _closed(value, shape)
    if array.shape[1] == 1 and (shape is None or len(shape) == 1):
        return np.asarray(array[:, 0])
    return np.asarray(array)


def _closed(value: Value, shape: tuple[int, ...] | None) -> Array:
    full = (*shape, 1) if shape is not None and len(shape) == 1 else shape
    if full is None or len(full) != 2:
        raise FaultError(OPEN, code="open-size")
    rows = full[0] if value.rows is None else value.rows
    columns = full[1] if value.columns is None else value.columns
    array = np.broadcast_to(value.array, (rows, columns))
    if not value.identity:
        return np.array(array)
    if rows != columns:
        raise FaultError("I is square, but the answer is not.", code="shape")
    return np.asarray(array + value.identity * np.eye(rows))
