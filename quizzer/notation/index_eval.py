"""Computing index notation: every letter becomes an axis that NumPy broadcasts over."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from quizzer.notation.functions import ELEMENTWISE, Array
from quizzer.notation.index_ranges import check_bounds, left_sizes, one_size, only_an_index, uses
from quizzer.notation.index_whole import REDUCE, is_whole, whole
from quizzer.notation.nodes import (
    Binder,
    Call,
    Choice,
    Compare,
    Element,
    Group,
    Letter,
    Logic,
    Name,
    Node,
    Number,
    Power,
    Product,
    Reduce,
    Sum,
    walk,
)
from quizzer.notation.values import MAX_CELLS, FaultError

COMPARE: dict[str, Callable[[Array, Array], Array]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_MULTIPLY: dict[str, Callable[[Array, Array], Array]] = {
    "/": np.true_divide,
    "⊘": np.true_divide,
    "//": np.floor_divide,
    "%": np.mod,
}
_NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}


@dataclass(frozen=True, slots=True)
class Axis:
    """Where a letter lives: the axis -1 - `place`, its values from `start` on."""

    place: int
    start: int
    size: int


def evaluate(
    node: Node,
    letters: tuple[str, ...],
    env: Mapping[str, Array],
    shape: tuple[int, ...] | None,
    first: int,
) -> Array:
    """The array whose axes are the letters of the left side.

    `shape` is that of the asked array; letters whose range no array tells take it from there.
    Raises FaultError where ranges disagree or an index is no whole number.
    """
    computer = _Computer(env, first)
    sizes = left_sizes(node, letters, env, shape)
    scope = {
        letter: Axis(place, first, size)
        for place, (letter, size) in enumerate(zip(letters, sizes, strict=True))
    }
    computer.check_cells(sizes, node)
    value = computer.compute(node, scope)
    return np.array(np.broadcast_to(value, tuple(reversed(sizes))).transpose(), float)


class _Computer:
    def __init__(self, env: Mapping[str, Array], first: int) -> None:
        self.env = env
        self.first = first

    def compute(self, node: Node, scope: dict[str, Axis]) -> Array:
        match node:
            case Number(value):
                return np.asarray(value)
            case Group(inner):
                return self.compute(inner, scope)
            case Name():
                return whole(node, self.env)
            case Letter(letter, at):
                return _grid(scope, letter, at)
            case Element():
                return self.element(node, scope)
            case Sum(terms):
                return self.fold_sum(terms, scope, node)
            case Product(factors):
                return self.fold_product(factors, scope, node)
            case Power(base, exponent):
                raised = self.compute(base, scope), self.compute(exponent, scope)
                return self.combine(np.power, *raised, node)
            case Call():
                return self.call(node, scope)
            case Compare(first, rest):
                return self.compare(first, rest, scope, node)
            case Logic(word, parts):
                join = np.minimum if word == "and" else np.maximum
                truth = np.asarray(self.compute(parts[0], scope) != 0, float)
                for part in parts[1:]:
                    holds = np.asarray(self.compute(part, scope) != 0, float)
                    truth = self.combine(join, truth, holds, node)
                return truth
            case Choice(yes, test, no):
                values = [self.compute(part, scope) for part in (test, yes, no)]
                self.check_cells(np.broadcast_shapes(*(value.shape for value in values)), node)
                return np.where(values[0] != 0, values[1], values[2])
            case Reduce():
                return self.reduce(node, scope)
            case _:
                raise FaultError("This is an array: give it its indices.", node.at, "indices")

    def combine(
        self, function: Callable[[Array, Array], Array], a: Array, b: Array, node: Node
    ) -> Array:
        self.check_cells(np.broadcast_shapes(a.shape, b.shape), node)
        return np.asarray(function(a, b))

    def check_cells(self, shape: tuple[int, ...], node: Node) -> None:
        cells = 1
        for size in shape:
            cells *= size
        if cells > MAX_CELLS:
            raise FaultError(
                f"This needs {cells:,} cells at once, more than {MAX_CELLS:,}.",
                node.at,
                "too-large",
            )

    def fold_sum(
        self, terms: tuple[tuple[int, Node], ...], scope: dict[str, Axis], node: Node
    ) -> Array:
        total = np.asarray(terms[0][0] * self.compute(terms[0][1], scope))
        for sign, term in terms[1:]:
            function = np.add if sign > 0 else np.subtract
            total = self.combine(function, total, self.compute(term, scope), node)
        return total

    def fold_product(
        self, factors: tuple[tuple[str, Node], ...], scope: dict[str, Axis], node: Node
    ) -> Array:
        value = self.compute(factors[0][1], scope)
        for sign, factor in factors[1:]:
            function = _MULTIPLY.get(sign, np.multiply)
            value = self.combine(function, value, self.compute(factor, scope), node)
        return value

    def compare(
        self,
        first: Node,
        rest: tuple[tuple[str, Node], ...],
        scope: dict[str, Axis],
        node: Node,
    ) -> Array:
        left = self.compute(first, scope)
        holds = np.asarray(1.0)
        for sign, part in rest:
            right = self.compute(part, scope)
            link = self.combine(COMPARE[sign], left, right, node)
            holds = self.combine(np.multiply, holds, np.asarray(link, float), node)
            left = right
        return holds

    def call(self, node: Call, scope: dict[str, Axis]) -> Array:
        if node.function in ("max", "min") and len(node.arguments) > 1:
            function = np.maximum if node.function == "max" else np.minimum
            value = self.compute(node.arguments[0], scope)
            for argument in node.arguments[1:]:
                value = self.combine(function, value, self.compute(argument, scope), node)
            return value
        if node.function not in ELEMENTWISE or is_whole(node.arguments[0]):
            return whole(node, self.env)
        return np.asarray(ELEMENTWISE[node.function](self.compute(node.arguments[0], scope)))

    def element(self, node: Element, scope: dict[str, Axis]) -> Array:
        """The elements at the indices; 0 outside of the array."""
        array = whole(node.base, self.env)
        places, inside = [], np.asarray(True)
        for size, index in zip(array.shape, node.indices, strict=True):
            place = self.compute(index, scope)
            if not np.all(place == np.rint(place)):
                raise FaultError("An index must be a whole number.", node.at, "indices")
            self.check_constant(index, place, node)
            place = place - self.first
            within = (place >= 0) & (place < size)
            inside = self.combine(np.logical_and, inside, within, node)
            places.append(np.clip(place, 0, max(size - 1, 0)).astype(int))
        if array.size == 0:
            return np.zeros(inside.shape)
        self.check_cells(np.broadcast_shapes(*(place.shape for place in places)), node)
        return np.where(inside, array[tuple(places)], 0.0)

    def check_constant(self, index: Node, place: Array, node: Element) -> None:
        """Refuses `x[-1]`: no array has that place here, though NumPy would take the last one."""
        fixed = not any(isinstance(part, Letter | Name) for part in walk(index))
        if fixed and place < self.first:
            raise FaultError(
                f"There is no place {int(place)}: this card counts from {self.first}.",
                node.at,
                "indices",
            )

    def reduce(self, node: Reduce, scope: dict[str, Axis]) -> Array:
        depth = len(scope)
        inner = dict(scope)
        conditions = [] if node.condition is None else [node.condition]
        for place, binder in enumerate(node.binders):
            axis, limits = self.binder_axis(binder, node, scope, depth + place)
            inner[binder.letter] = axis
            conditions += limits
        body = self.compute(node.body, inner)
        shape = tuple(inner[binder.letter].size for binder in reversed(node.binders))
        rest = body.shape[-depth:] if depth else ()
        mask = np.asarray(1.0)
        for condition in conditions:
            holds = self.compute(condition, inner)
            mask = self.combine(np.multiply, mask, holds, node)
            kept = mask.shape[-depth:] if depth else ()
            rest = np.broadcast_shapes(rest, kept)
        full = shape + (1,) * (depth - len(rest)) + rest
        self.check_cells(full, node)
        if conditions:
            return _reduced_where(node, np.broadcast_to(body, full), np.broadcast_to(mask, full))
        return _reduced(node, np.broadcast_to(body, full))

    def binder_axis(
        self, binder: Binder, node: Reduce, scope: dict[str, Axis], place: int
    ) -> tuple[Axis, list[Node]]:
        """The axis of a bound letter, and bounds that depend on other letters as conditions."""
        letter = binder.letter
        if binder.low is None or binder.high is None:
            size = one_size(node, letter, self.env, binder.at)
            if size is None:
                raise FaultError(
                    f"How far index {letter} runs is not known: write "
                    f"{node.kind}_{{{letter}={self.first}}}^{{…}}.",
                    binder.at,
                    "range",
                )
            return Axis(place, self.first, size), []
        low, high = self.compute(binder.low, scope), self.compute(binder.high, scope)
        sizes = {size for size, _ in uses(node, letter, self.env)}
        last = self.first + min(sizes) - 1 if sizes else None
        if low.size == 1 and high.size == 1:
            start, stop = _whole_number(low, binder), _whole_number(high, binder)
            if self.counts_otherwise(node, letter, start, stop, sizes):
                start, stop = self.first, self.first + stop - start
            self.check_bounds(binder, start, stop, last)
            return Axis(place, start, max(stop - start + 1, 0)), []
        if last is None or len(sizes) > 1:
            raise FaultError(f"How far index {letter} runs is not known.", binder.at, "range")
        bounds = (("<=", Letter(letter)), ("<=", binder.high))
        return Axis(place, self.first, sizes.pop()), [Compare(binder.low, bounds, binder.at)]

    def counts_otherwise(
        self, node: Reduce, letter: str, start: int, stop: int, sizes: set[int]
    ) -> bool:
        """Whether 1 to N means the whole axis though the card counts from 0, or 0 to N - 1."""
        whole_axis = sizes == {stop - start + 1} and start == 1 - self.first
        return whole_axis and only_an_index(node, letter)

    def check_bounds(self, binder: Binder, start: int, stop: int, last: int | None) -> None:
        if last is not None:
            check_bounds(binder, start, stop, last, self.first)
        if abs(start) > MAX_CELLS or stop - start > MAX_CELLS:
            raise FaultError("These bounds are too far apart.", binder.at, "too-large")


def _reduced(node: Reduce, body: Array) -> Array:
    axes = tuple(range(len(node.binders)))
    if node.kind != "sum" and 0 in body.shape[: len(axes)]:
        raise FaultError(f"This {node.kind} runs over nothing.", node.at, "range")
    return np.asarray(REDUCE[node.kind](body, axis=axes))


def _reduced_where(node: Reduce, body: Array, mask: Array) -> Array:
    """Over the cells where the condition holds; a mean counts only these."""
    kept = np.where(mask != 0, body, _NEUTRAL[node.kind])
    if node.kind != "mean":
        return _reduced(node, kept)
    axes = tuple(range(len(node.binders)))
    return np.asarray(kept.sum(axis=axes) / (mask != 0).sum(axis=axes))


def _grid(scope: dict[str, Axis], letter: str, at: int | None) -> Array:
    axis = scope.get(letter)
    if axis is None:
        raise FaultError(f"Index {letter} cannot stand in its own bounds.", at, "bounds")
    values = np.arange(axis.start, axis.start + axis.size, dtype=float)
    return values.reshape((-1,) + (1,) * axis.place)


def _whole_number(value: Array, binder: Binder) -> int:
    number = float(value.reshape(()))
    if not np.isfinite(number) or number != round(number):
        raise FaultError("The bounds of a sum are whole numbers.", binder.at, "bounds")
    return int(number)
