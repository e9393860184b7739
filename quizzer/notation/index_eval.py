"""Computing index notation: every letter becomes an axis that NumPy broadcasts over."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from quizzer.notation.functions import ELEMENTWISE, WHOLE, Array
from quizzer.notation.nodes import (
    Binder,
    Call,
    Choice,
    Compare,
    Element,
    Group,
    Inverse,
    Letter,
    Logic,
    Name,
    Node,
    Number,
    Power,
    Product,
    Reduce,
    Sum,
    Transpose,
    children,
    show,
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
_REDUCE: dict[str, Callable[..., Array]] = {
    "sum": np.sum,
    "prod": np.prod,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
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
    sizes = computer.left_sizes(node, letters, shape)
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

    # Ranges

    def uses(self, node: Node, letter: str) -> Iterator[tuple[int, str]]:
        """Sizes of the axes that the letter alone indexes, each with the array's name."""
        for part in walk(node):
            if not isinstance(part, Element):
                continue
            plain = [k for k, index in enumerate(part.indices) if _is_letter(index, letter)]
            if plain:
                shape = np.shape(self.whole(part.base))
                yield from ((shape[k], show(part.base)) for k in plain)

    def one_size(self, node: Node, letter: str, at: int | None) -> int | None:
        """The range of a letter by its uses; None without any. Raises where they disagree."""
        found = list(self.uses(node, letter))
        for size, name in found[1:]:
            if size != found[0][0]:
                raise FaultError(
                    f"Index {letter} runs over {found[0][0]} in {found[0][1]} "
                    f"but over {size} in {name}.",
                    at,
                    "index-range",
                )
        return found[0][0] if found else None

    def left_sizes(
        self, node: Node, letters: tuple[str, ...], shape: tuple[int, ...] | None
    ) -> tuple[int, ...]:
        """Ranges of the letters on the left.

        They come from the arrays. Where the text itself limits a letter (`[i > 0]`, `df[i-1]`)
        an array may be shorter than the answer, so there the asked shape decides.
        """
        fits = shape is not None and len(shape) == len(letters)
        asked = dict(zip(letters, shape or (), strict=True)) if fits else {}
        bounded = {letter for letter in letters if letter in asked and _bounded(node, letter)}
        sizes = {}
        for letter in letters:
            if letter in bounded:
                found = {size for size, _ in self.uses(node, letter)}
                sizes[letter] = found.pop() if len(found) == 1 else asked[letter]
                continue
            size = self.one_size(node, letter, node.at)
            if size is None and letter not in asked:
                raise FaultError(f"How far index {letter} runs is not known.", node.at, "range")
            sizes[letter] = asked[letter] if size is None else size
        implied = tuple(sizes.values())
        if sorted(implied) != sorted(asked.values()):
            sizes.update({letter: asked[letter] for letter in bounded})
        return tuple(sizes.values())

    # Values

    def compute(self, node: Node, scope: dict[str, Axis]) -> Array:
        match node:
            case Number(value):
                return np.asarray(value)
            case Group(inner):
                return self.compute(inner, scope)
            case Name():
                return self.whole(node)
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
        if node.function not in ELEMENTWISE or _is_whole(node.arguments[0]):
            return self.whole(node)
        return np.asarray(ELEMENTWISE[node.function](self.compute(node.arguments[0], scope)))

    def whole(self, node: Node) -> Array:
        """An array as a whole, or a number."""
        match node:
            case Name(name):
                return np.asarray(self.env[name], float)
            case Group(inner):
                return self.whole(inner)
            case Transpose(base):
                return self.whole(base).T
            case Inverse(base):
                return _matrix_function("inv", self.whole(base), node)
            case Call(function, arguments) if function in _REDUCE:
                return np.asarray(_REDUCE[function](self.whole(arguments[0])))
            case Call(function, arguments) if function in ELEMENTWISE:
                return np.asarray(ELEMENTWISE[function](self.whole(arguments[0])))
            case Call(function, arguments):
                return _matrix_function(function, self.whole(arguments[0]), node)
            case _:
                raise FaultError("A whole array is expected here.", node.at)

    def element(self, node: Element, scope: dict[str, Axis]) -> Array:
        """The elements at the indices; 0 outside of the array."""
        array = self.whole(node.base)
        places, inside = [], np.asarray(True)
        for size, index in zip(array.shape, node.indices, strict=True):
            place = self.compute(index, scope)
            if not np.all(place == np.rint(place)):
                raise FaultError("An index must be a whole number.", node.at, "indices")
            place = place - self.first
            within = (place >= 0) & (place < size)
            inside = self.combine(np.logical_and, inside, within, node)
            places.append(np.clip(place, 0, max(size - 1, 0)).astype(int))
        if array.size == 0:
            return np.zeros(inside.shape)
        self.check_cells(np.broadcast_shapes(*(place.shape for place in places)), node)
        return np.where(inside, array[tuple(places)], 0.0)

    # Sums

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
            size = self.one_size(node, letter, binder.at)
            if size is None:
                raise FaultError(
                    f"How far index {letter} runs is not known: write "
                    f"{node.kind}_{{{letter}={self.first}}}^{{…}}.",
                    binder.at,
                    "range",
                )
            return Axis(place, self.first, size), []
        low, high = self.compute(binder.low, scope), self.compute(binder.high, scope)
        sizes = {size for size, _ in self.uses(node, letter)}
        last = self.first + min(sizes) - 1 if sizes else None
        if low.size == 1 and high.size == 1:
            start, stop = _whole_number(low, binder), _whole_number(high, binder)
            self.check_bounds(binder, start, stop, last)
            return Axis(place, start, max(stop - start + 1, 0)), []
        if last is None or len(sizes) > 1:
            raise FaultError(f"How far index {letter} runs is not known.", binder.at, "range")
        bounds = (("<=", Letter(letter)), ("<=", binder.high))
        return Axis(place, self.first, sizes.pop()), [Compare(binder.low, bounds, binder.at)]

    def check_bounds(self, binder: Binder, start: int, stop: int, last: int | None) -> None:
        if last is not None and start <= stop and (start < self.first or stop > last):
            raise FaultError(
                f"Index {binder.letter} goes from {start} to {stop}, but the array has the places "
                f"{self.first} to {last}: this card counts from {self.first}.",
                binder.at,
                "bounds",
            )
        if abs(start) > MAX_CELLS or stop - start > MAX_CELLS:
            raise FaultError("These bounds are too far apart.", binder.at, "too-large")


def _reduced(node: Reduce, body: Array) -> Array:
    axes = tuple(range(len(node.binders)))
    if node.kind != "sum" and 0 in body.shape[: len(axes)]:
        raise FaultError(f"This {node.kind} runs over nothing.", node.at, "range")
    return np.asarray(_REDUCE[node.kind](body, axis=axes))


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


def _is_letter(node: Node, letter: str) -> bool:
    while isinstance(node, Group):
        node = node.inner
    return isinstance(node, Letter) and node.letter == letter


def _is_whole(node: Node) -> bool:
    match node:
        case Name() | Transpose() | Inverse():
            return True
        case Group(inner):
            return _is_whole(inner)
        case Call(_, arguments):
            return all(_is_whole(argument) for argument in arguments)
        case _:
            return False


def _bounded(node: Node, letter: str) -> bool:
    """Whether a condition or a computed index limits the letter."""
    for part in walk(node):
        if isinstance(part, Compare | Logic):
            inside: list[Node] = list(children(part))
        elif isinstance(part, Choice):
            inside = [part.test]
        elif isinstance(part, Element):
            inside = [index for index in part.indices if not _is_letter(index, letter)]
        else:
            continue
        direct = (below for item in inside for below in _outside_arrays(item))
        if any(_is_letter(below, letter) for below in direct):
            return True
    return False


def _outside_arrays(node: Node) -> Iterator[Node]:
    """The node and those below it, without the indices of arrays."""
    yield node
    if not isinstance(node, Element):
        for child in children(node):
            yield from _outside_arrays(child)


def _matrix_function(function: str, value: Array, node: Node) -> Array:
    square = value.ndim == 2 and value.shape[0] == value.shape[1]
    if function in ("inv", "det", "tr") and not square:
        shape = "×".join(map(str, value.shape)) or "a number"
        raise FaultError(f"{function} needs a square matrix, this is {shape}.", node.at, "shape")
    try:
        return np.asarray(WHOLE[function](value))
    except (ValueError, np.linalg.LinAlgError) as error:
        raise FaultError(f"{function}: {error}.", node.at, "shape") from None
