"""Computing matrix notation, with every size checked."""

from collections.abc import Callable, Mapping

import numpy as np

from quizzer.notation.arrays import COMPARE
from quizzer.notation.functions import (
    ELEMENTWISE,
    PAIRS,
    WHOLE,
    Array,
    logsumexp,
    pinv,
    rowsum,
    softmax,
)
from quizzer.notation.matrix_meaning import with_operands
from quizzer.notation.matrix_values import (
    OPEN,
    Value,
    add,
    elementwise,
    from_array,
    multiply,
    result,
    scale,
    settled,
    transpose,
)
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

_MAX_POWER = 100
_TOTALS: dict[str, Callable[[Array], Array]] = {
    "sum": np.sum,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
    "norm": lambda a: np.sqrt(np.sum(a * a)),
}


def evaluate(node: Node, env: Mapping[str, Array], shape: tuple[int, ...] | None) -> Array:
    """The value as an array; a column comes out as a vector where a vector is asked."""
    return result(compute(node, env), shape)


def compute(node: Node, env: Mapping[str, Array]) -> Value:
    """The value of a node. A FaultError gets the node's place if it has none yet."""
    try:
        return _compute(node, env)
    except FaultError as fault:
        if fault.at is None:
            raise FaultError(fault.message, node.at, fault.code) from None
        raise


def _compute(node: Node, env: Mapping[str, Array]) -> Value:
    match node:
        case Number(value):
            return Value(np.asarray(value))
        case Name(name):
            return from_array(env[name])
        case Group(inner):
            return compute(inner, env)
        case Identity(size):
            return _identity(size, env)
        case Ones(size):
            return _ones(size, env)
        case Transpose(base):
            return transpose(compute(base, env))
        case Inverse(base):
            return _inverse(compute(base, env))
        case Power(base, exponent):
            return _power(compute(base, env), compute(exponent, env))
        case Sum(terms):
            return _sum(terms, env)
        case Product(factors):
            return _product(factors, env)
        case Call(function, arguments):
            return _call(function, [compute(argument, env) for argument in arguments])
        case Compare(first, rest):
            return _compare(first, rest, env)
        case Logic(word, parts):
            join = np.minimum if word == "and" else np.maximum
            truth = _truth(compute(parts[0], env))
            for part in parts[1:]:
                truth = elementwise(join, truth, _truth(compute(part, env)), "combined")
            return truth
        case Choice(yes, test, no):
            holds = _truth(compute(test, env))
            other = elementwise(_keep_where_not, holds, compute(no, env), "combined")
            chosen = elementwise(_keep_where, holds, compute(yes, env), "combined")
            return add(chosen, other, 1)
        case Vector(entries):
            return settled(Value(_table(entries, env)))
        case _:
            raise FaultError("This belongs to index notation.", node.at, "indices")


def _table(entries: tuple[Node, ...], env: Mapping[str, Array]) -> Array:
    """A column of numbers, or a matrix of rows."""
    if isinstance(entries[0], Vector):
        rows = [_table(row.entries, env)[:, 0] for row in entries if isinstance(row, Vector)]
        return np.array(rows)
    values = [compute(entry, env) for entry in entries]
    if not all(value.is_number for value in values):
        raise FaultError("The entries of a vector are numbers here.", code="shape")
    return np.array([[float(value.array)] for value in values])


def _keep_where(test: Array, value: Array) -> Array:
    return np.where(test != 0, value, 0.0)


def _keep_where_not(test: Array, value: Array) -> Array:
    return np.where(test != 0, 0.0, value)


def _truth(value: Value) -> Value:
    return Value(np.asarray(value.array != 0, float), value.open_rows, value.open_columns)


def _size(size: Node, env: Mapping[str, Array]) -> int:
    value = compute(size, env)
    number = float(value.array.reshape(-1)[0]) if value.is_number else -1.0
    if number != np.rint(number) or not 0 < number <= np.sqrt(MAX_CELLS):
        raise FaultError("A size must be a whole number.", size.at, "shape")
    return int(number)


def _identity(size: Node | None, env: Mapping[str, Array]) -> Value:
    if size is None:
        return Value(np.zeros((1, 1)), True, True, 1.0)
    return settled(Value(np.eye(_size(size, env))))


def _ones(size: Node | None, env: Mapping[str, Array]) -> Value:
    if size is None:
        return Value(np.ones((1, 1)), open_rows=True)
    return settled(Value(np.ones((_size(size, env), 1))))


def _sum(terms: tuple[tuple[int, Node], ...], env: Mapping[str, Array]) -> Value:
    total = scale(compute(terms[0][1], env), terms[0][0])
    for sign, term in terms[1:]:
        try:
            total = add(total, compute(term, env), sign)
        except FaultError as fault:
            raise FaultError(fault.message, fault.at or term.at, fault.code) from None
    return total


def _product(factors: tuple[tuple[str, Node], ...], env: Mapping[str, Array]) -> Value:
    """The product of the factors from left to right."""
    total = compute(factors[0][1], env)
    for index, (sign, factor) in enumerate(factors[1:], 1):
        value = compute(factor, env)
        try:
            total = _combined(sign, total, value)
        except FaultError as fault:
            message = with_operands(fault, factors[:index], factor, sign)
            raise FaultError(message, fault.at or factor.at, fault.code) from None
    return total


def _combined(sign: str, a: Value, b: Value) -> Value:
    if sign == "⊙":
        return elementwise(np.multiply, a, b, "multiplied elementwise")
    if sign == "⊗":
        return _kronecker(a, b)
    if sign == "⊘":
        return elementwise(np.true_divide, a, b, "divided elementwise")
    if sign == "/":
        return _divided(a, b)
    columns = a.columns == b.columns == 1 if not (a.is_number or b.is_number) else False
    if sign == "·" and columns and a.rows is not None and a.rows == b.rows:
        return Value(np.asarray(np.sum(a.array * b.array)))
    return multiply(a, b)


def _kronecker(a: Value, b: Value) -> Value:
    """Kronecker's product: b in every place of a, times the number there."""
    if a.is_open or b.is_open:
        raise FaultError(OPEN, code="open-size")
    if a.columns == 1 == b.columns and not (a.is_number or b.is_number):
        return settled(Value(a.array @ b.array.T))
    if a.array.size * b.array.size > MAX_CELLS:
        raise FaultError("This product has too many cells.", code="too-large")
    return settled(Value(np.asarray(np.kron(a.array, b.array))))


def _divided(a: Value, b: Value) -> Value:
    if b.is_number:
        return scale(a, 1 / np.asarray(b.array, float))
    if b.is_vector and (a.is_number or a.is_vector):
        return elementwise(np.true_divide, a, b, "divided elementwise")
    raise FaultError(
        "A matrix cannot stand under a slash: write A^{-1}, or ⊘ for elementwise division.",
        code="shape",
    )


def _inverse(value: Value) -> Value:
    if value.is_number:
        return Value(1 / np.asarray(value.array, float))
    if value.identity and not np.any(value.array):
        return Value(value.array, True, True, 1 / value.identity)
    _check_square(value, "An inverse")
    return settled(Value(np.linalg.inv(value.array)))


def _check_square(value: Value, what: str) -> None:
    if value.is_open:
        raise FaultError(OPEN, code="open-size")
    if value.rows != value.columns:
        raise FaultError(f"{what} needs a square matrix, this is {value.size()}.", code="shape")


def _power(base: Value, exponent: Value) -> Value:
    if not exponent.is_number:
        raise FaultError("An exponent must be a number.", code="shape")
    if base.is_number:
        return Value(np.asarray(np.power(base.array, exponent.array)))
    _check_square(base, "A power")
    number = float(exponent.array)
    if number != round(number) or abs(number) > _MAX_POWER:
        raise FaultError("A matrix power must be a small whole number.", code="shape")
    return Value(np.linalg.matrix_power(base.array, int(number)))


def _call(function: str, values: list[Value]) -> Value:
    value = values[0]
    if function in PAIRS or function == "^⊙":
        return _of_several(function, values)
    if len(values) > 1:
        join = np.maximum if function == "max" else np.minimum
        for other in values[1:]:
            value = elementwise(join, value, other, "compared")
        return value
    if function in ELEMENTWISE:
        return _applied(function, value)
    if value.is_open:
        raise FaultError(OPEN, code="open-size")
    array = value.array
    if function in _TOTALS:
        return Value(np.asarray(_TOTALS[function](array)))
    if function == "pinv":
        return Value(1 / value.array) if value.is_number else settled(Value(pinv(array)))
    if function == "rowsum":
        whole = value.is_number or value.is_vector
        total = np.asarray(array.sum()) if whole else rowsum(array)
        return Value(total, False, not whole)
    if function in ("tr", "det", "inv", "expm", "logdet", "chol"):
        return _square_function(function, value)
    if function == "diag":
        flat = array.reshape(-1)
        return settled(from_array(np.diag(flat if value.is_vector else array)))
    if function == "logsumexp":
        if not value.is_vector and not value.is_number:
            raise FaultError("logsumexp takes a vector here.", code="shape")
        return Value(logsumexp(array.reshape(-1)))
    return _softmax(value)


def _of_several(function: str, values: list[Value]) -> Value:
    first, second = values[:2]
    if function == "^⊙":
        return elementwise(np.power, first, second, "raised")
    if function in ("inner", "dot"):
        product = elementwise(np.multiply, first, second, "multiplied elementwise")
        return Value(np.asarray(np.sum(product.array)))
    if function == "clip":
        above = elementwise(np.maximum, first, second, "compared")
        return elementwise(np.minimum, above, values[2], "compared")
    return _kronecker(first, second)


def _applied(function: str, value: Value) -> Value:
    if value.identity:
        raise FaultError(OPEN, code="open-size")
    return Value(ELEMENTWISE[function](value.array), value.open_rows, value.open_columns)


def _square_function(function: str, value: Value) -> Value:
    if value.is_number:
        if function in ("expm", "logdet", "chol"):
            of_number = {"expm": np.exp, "logdet": np.log, "chol": np.sqrt}[function]
            return Value(np.asarray(of_number(value.array)))
        return _inverse(value) if function == "inv" else value
    _check_square(value, function)
    if function == "inv":
        return _inverse(value)
    if function in ("expm", "chol", "logdet"):
        return Value(np.asarray(WHOLE[function](value.array)))
    return Value(
        np.asarray(np.trace(value.array) if function == "tr" else np.linalg.det(value.array))
    )


def _softmax(value: Value) -> Value:
    """Over a vector, or over every row of a matrix."""
    if value.is_number:
        return Value(np.asarray(1.0))
    if value.is_vector:
        return Value(softmax(value.array.reshape(-1)).reshape(value.array.shape))
    return Value(softmax(value.array))


def _compare(first: Node, rest: tuple[tuple[str, Node], ...], env: Mapping[str, Array]) -> Value:
    left = compute(first, env)
    holds = Value(np.asarray(1.0))
    for sign, part in rest:
        right = compute(part, env)
        link = elementwise(COMPARE[sign], left, right, "compared")
        holds = elementwise(np.multiply, holds, _truth(link), "compared")
        left = right
    return holds
