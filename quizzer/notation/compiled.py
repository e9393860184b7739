"""Index notation compiled to NumPy, once for each set of shapes.

Every letter becomes an axis that NumPy broadcasts over. What depends on letters and sizes alone,
ranges, masks and places of elements, is worked out while compiling; what is left is a chain of
NumPy calls on the values of the names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from quizzer.notation import matrix_eval
from quizzer.notation.arrays import COMPARE, MULTIPLY, NEUTRAL, REDUCE, matrix_function
from quizzer.notation.functions import ELEMENTWISE, Array
from quizzer.notation.index_ranges import (
    check_bounds,
    left_sizes,
    one_size,
    only_an_index,
    uses,
)
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
    Table,
    Transpose,
    walk,
)
from quizzer.notation.values import MAX_CELLS, FaultError

Env = Mapping[str, Array]
Run = Callable[[Env], Array]


@dataclass(frozen=True, slots=True)
class Axis:
    """Where a letter lives: the axis -1 - `place`, its values from `start` on."""

    place: int
    start: int
    size: int


Scope = Mapping[str, Axis]


@dataclass(frozen=True, slots=True)
class Code:
    """What computes a node: its shape, and its value where that is the same for all values."""

    shape: tuple[int, ...]
    run: Run
    fixed: Array | None = None


def fixed(value: Array) -> Code:
    return Code(value.shape, lambda env: value, value)


def compiled(
    node: Node,
    letters: tuple[str, ...],
    env: Env,
    shape: tuple[int, ...] | None,
    first: int,
    numbers: frozenset[str],
) -> Run:
    """What computes the array whose axes are the letters of the left side, for names of these
    shapes and numbers of these values.

    `shape` is that of the asked array; letters whose range no array tells take it from there.
    Raises FaultError where ranges disagree or an index is no whole number.
    """
    compiler = Compiler(env, first, numbers)
    sizes = left_sizes(node, letters, compiler.shape_of, shape)
    scope = {
        letter: Axis(place, first, size)
        for place, (letter, size) in enumerate(zip(letters, sizes, strict=True))
    }
    compiler.check_cells(sizes, node)
    code = compiler.compile(node, scope)
    turned = tuple(reversed(sizes))

    def run(env: Env) -> Array:
        return np.array(np.broadcast_to(code.run(env), turned).transpose(), float)

    return run


class Compiler:
    """Compiles nodes for the shapes of one environment."""

    def __init__(self, env: Env, first: int, numbers: frozenset[str]) -> None:
        self.env = env
        self.first = first
        self.numbers = numbers
        self.shapes: dict[int, tuple[int, ...]] = {}
        self.inside: list[list[Code]] | None = None
        """Where the elements that are read for a maximum, minimum or mean lie in their arrays."""

    def shape_of(self, base: Node) -> tuple[int, ...]:
        """The shape of a whole array."""
        if isinstance(base, Name):
            return np.shape(self.env[base.name])
        if isinstance(base, Group):
            return self.shape_of(base.inner)
        if id(base) not in self.shapes:
            self.shapes[id(base)] = np.shape(self.whole(base)(self.env))
        return self.shapes[id(base)]

    def compile(self, node: Node, scope: Scope) -> Code:
        match node:
            case Number(value):
                return fixed(np.asarray(value))
            case Group(inner):
                return self.compile(inner, scope)
            case Name(name):
                if name in self.numbers:
                    return fixed(np.asarray(self.env[name], float))
                return Code(np.shape(self.env[name]), lambda env: env[name])
            case Letter(letter, at):
                return fixed(_grid(scope, letter, at))
            case Element():
                return self.element(node, scope)
            case Sum(terms):
                return self.sum(terms, scope, node)
            case Product(((_, _),)):
                return Code(self.shape_of(node), self.whole(node))
            case Product(factors):
                total = self.compile(factors[0][1], scope)
                for sign, factor in factors[1:]:
                    function = MULTIPLY.get(sign, np.multiply)
                    total = self.combine(function, total, self.compile(factor, scope), node)
                return total
            case Power(base, exponent):
                return self.power(base, exponent, scope, node)
            case Call():
                return self.call(node, scope)
            case Compare(first, rest):
                return self.compare(first, rest, scope, node)
            case Logic(word, parts):
                join = np.minimum if word == "and" else np.maximum
                truth = self.apply(_holds, self.compile(parts[0], scope))
                for part in parts[1:]:
                    holds = self.apply(_holds, self.compile(part, scope))
                    truth = self.combine(join, truth, holds, node)
                return truth
            case Choice(yes, test, no):
                return self.choice([self.compile(part, scope) for part in (test, yes, no)], node)
            case Reduce():
                return self.reduce(node, scope)
            case _:
                raise FaultError("This is an array: give it its indices.", node.at, "indices")

    # Entry by entry

    def combine(
        self, function: Callable[[Array, Array], Array], a: Code, b: Code, node: Node
    ) -> Code:
        shape = np.broadcast_shapes(a.shape, b.shape)
        self.check_cells(shape, node)
        if a.fixed is not None and b.fixed is not None:
            return fixed(np.asarray(function(a.fixed, b.fixed)))
        first, second = a.run, b.run
        if a.fixed is not None:
            left = a.fixed
            return Code(shape, lambda env: function(left, second(env)))
        if b.fixed is not None:
            right = b.fixed
            return Code(shape, lambda env: function(first(env), right))
        return Code(shape, lambda env: function(first(env), second(env)))

    def apply(self, function: Callable[[Array], Array], a: Code) -> Code:
        if a.fixed is not None:
            return fixed(np.asarray(function(a.fixed)))
        run = a.run
        return Code(a.shape, lambda env: function(run(env)))

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

    def sum(self, terms: tuple[tuple[int, Node], ...], scope: Scope, node: Node) -> Code:
        total = self.compile(terms[0][1], scope)
        if terms[0][0] < 0:
            total = self.apply(np.negative, total)
        for sign, term in terms[1:]:
            function = np.add if sign > 0 else np.subtract
            total = self.combine(function, total, self.compile(term, scope), node)
        return total

    def power(self, base: Node, exponent: Node, scope: Scope, node: Node) -> Code:
        raised = self.compile(base, scope)
        if isinstance(exponent, Number) and exponent.value == 2:
            return self.apply(np.square, raised)
        return self.combine(np.power, raised, self.compile(exponent, scope), node)

    def choice(self, parts: list[Code], node: Node) -> Code:
        test, yes, no = parts
        shape = np.broadcast_shapes(*(part.shape for part in parts))
        self.check_cells(shape, node)
        return Code(shape, lambda env: np.where(test.run(env) != 0, yes.run(env), no.run(env)))

    def compare(
        self, first: Node, rest: tuple[tuple[str, Node], ...], scope: Scope, node: Node
    ) -> Code:
        left = self.compile(first, scope)
        found: Code | None = None
        for sign, part in rest:
            right = self.compile(part, scope)
            link = self.combine(COMPARE[sign], left, right, node)
            found = link if found is None else self.combine(np.logical_and, found, link, node)
            left = right
        assert found is not None
        return self.apply(_as_float, found)

    def call(self, node: Call, scope: Scope) -> Code:
        if node.function in ("max", "min") and len(node.arguments) > 1:
            function = np.maximum if node.function == "max" else np.minimum
            value = self.compile(node.arguments[0], scope)
            for argument in node.arguments[1:]:
                value = self.combine(function, value, self.compile(argument, scope), node)
            return value
        if node.function == "clip":
            value, low, high = (self.compile(argument, scope) for argument in node.arguments)
            return self.combine(np.minimum, self.combine(np.maximum, value, low, node), high, node)
        if node.function not in ELEMENTWISE or is_whole(node.arguments[0]):
            return Code(self.shape_of(node), self.whole(node))
        return self.apply(ELEMENTWISE[node.function], self.compile(node.arguments[0], scope))

    # Whole arrays

    def whole(self, node: Node) -> Run:
        """What computes an array as a whole, or a number."""
        match node:
            case Name(name):
                return lambda env: env[name]
            case Group(inner):
                return self.whole(inner)
            case Transpose(base):
                turned = self.whole(base)
                return lambda env: turned(env).T
            case Inverse(base):
                square = self.whole(base)
                return lambda env: matrix_function("inv", square(env), node)
            case Call(function, (argument,)) if function in REDUCE:
                run = self.whole(argument)
                return lambda env: np.asarray(REDUCE[function](run(env)))
            case Call(function, (argument,)) if function in ELEMENTWISE:
                run = self.whole(argument)
                return lambda env: np.asarray(ELEMENTWISE[function](run(env)))
            case Call(function, (argument,)):
                run = self.whole(argument)
                return lambda env: matrix_function(function, run(env), node)
            case Table(letters, body):
                return compiled(body, letters, self.env, None, self.first, self.numbers)
            case _:
                return lambda env: _flat(matrix_eval.evaluate(node, env, None))

    def element(self, node: Element, scope: Scope) -> Code:
        """The elements at the indices; 0 outside of the array."""
        base, shape = self.whole(node.base), self.shape_of(node.base)
        if len(shape) != len(node.indices):
            raise FaultError("This array has another number of axes.", node.at, "indices")
        plain = self.plain(node, shape, scope)
        if plain is not None:
            return plain
        places = [self.compile(index, scope) for index in node.indices]
        for index, place in zip(node.indices, places, strict=True):
            self.check_place(index, place, node)
        full = np.broadcast_shapes(*(place.shape for place in places))
        self.check_cells(full, node)
        if 0 in shape:
            return fixed(np.zeros(full))
        first = self.first
        if all(place.fixed is not None for place in places):
            found, inside = _located([p.fixed for p in places if p.fixed is not None], shape, first)
            if np.all(inside):
                return Code(full, lambda env: base(env)[found])
            self.read_outside(fixed(np.asarray(inside, float)))
            return Code(full, lambda env: np.where(inside, base(env)[found], 0.0))
        runs = [place.run for place in places]

        def run(env: Env) -> Array:
            values = [each(env) for each in runs]
            for value in values:
                _check_whole(value, node)
            found, inside = _located(values, shape, first)
            return np.where(inside, base(env)[found], 0.0)

        def within(env: Env) -> Array:
            return np.asarray(_located([each(env) for each in runs], shape, first)[1], float)

        self.read_outside(Code(full, within))
        return Code(full, run)

    def plain(self, node: Element, shape: tuple[int, ...], scope: Scope) -> Code | None:
        """An element whose indices are different letters that run over the whole axes: the array
        itself, its axes in another order."""
        axes = []
        for index, size in zip(node.indices, shape, strict=True):
            while isinstance(index, Group):
                index = index.inner
            axis = scope.get(index.letter) if isinstance(index, Letter) else None
            if axis is None or (axis.start, axis.size) != (self.first, size):
                return None
            axes.append(axis.place)
        if len(set(axes)) != len(axes) or not axes:
            return None
        order = sorted(range(len(axes)), key=lambda k: -axes[k])
        spread = tuple(
            shape[axes.index(place)] if place in axes else 1 for place in range(max(axes), -1, -1)
        )
        base = self.whole(node.base)
        if order == list(range(len(axes))) and spread == shape:
            return Code(spread, base)
        return Code(spread, lambda env: base(env).transpose(order).reshape(spread))

    def check_place(self, index: Node, place: Code, node: Element) -> None:
        """Refuses `x[-1]`: no array has that place here, though NumPy would take the last one."""
        if place.fixed is None:
            return
        _check_whole(place.fixed, node)
        alone = not any(isinstance(part, Letter | Name) for part in walk(index))
        if alone and place.fixed < self.first:
            raise FaultError(
                f"There is no place {int(place.fixed)}: this card counts from {self.first}.",
                node.at,
                "indices",
            )

    def read_outside(self, inside: Code) -> None:
        if self.inside:
            self.inside[-1].append(inside)

    # Over letters

    def reduce(self, node: Reduce, scope: Scope) -> Code:
        depth = len(scope)
        inner = dict(scope)
        conditions = [] if node.condition is None else [node.condition]
        for place, binder in enumerate(node.binders):
            axis, limits = self.binder_axis(binder, node, scope, depth + place)
            inner[binder.letter] = axis
            conditions += limits
        body, masks = self.body(node, inner)
        masks += [self.compile(condition, inner) for condition in conditions]
        shape = tuple(inner[binder.letter].size for binder in reversed(node.binders))
        rest: tuple[int, ...] = ()
        for part in (body, *masks):
            rest = np.broadcast_shapes(rest, part.shape[-depth:] if depth else ())
        full = shape + (1,) * (depth - len(rest)) + rest
        self.check_cells(full, node)
        axes = tuple(range(len(node.binders)))
        if node.kind != "sum" and 0 in shape and not masks:
            raise FaultError(f"This {node.kind} runs over nothing.", node.at, "range")
        result = full[len(axes) :]
        if not masks:
            return self.over(node, body, full, axes, result)
        mask = masks[0]
        for other in masks[1:]:
            mask = self.combine(np.multiply, mask, other, node)
        return self.over_some(node, body, mask, full, axes)

    def body(self, node: Reduce, inner: Scope) -> tuple[Code, list[Code]]:
        """What is reduced, and where its reads lie in their arrays, if others take no part."""
        kept = self.inside
        self.inside = [[]] if node.kind in ("max", "min", "mean") else None
        body = self.compile(node.body, inner)
        outside = self.inside[-1] if self.inside else []
        self.inside = kept
        return body, outside

    def over(
        self,
        node: Reduce,
        body: Code,
        full: tuple[int, ...],
        axes: tuple[int, ...],
        result: tuple[int, ...],
    ) -> Code:
        function, run = REDUCE[node.kind], body.run
        if body.fixed is not None:
            value = function(np.broadcast_to(body.fixed, full), axis=axes)
            return fixed(np.asarray(value))
        if body.shape == full:
            return Code(result, lambda env: function(run(env), axis=axes))
        return Code(result, lambda env: function(np.broadcast_to(run(env), full), axis=axes))

    def over_some(
        self, node: Reduce, body: Code, mask: Code, full: tuple[int, ...], axes: tuple[int, ...]
    ) -> Code:
        """Over the cells where the condition holds; a mean counts only these."""
        neutral, kind = NEUTRAL[node.kind], node.kind
        where = None
        if mask.fixed is not None:
            where = np.broadcast_to(mask.fixed != 0, full)

        def run(env: Env) -> Array:
            held = where if where is not None else np.broadcast_to(mask.run(env) != 0, full)
            kept = np.where(held, np.broadcast_to(body.run(env), full), neutral)
            if kind == "mean":
                return np.asarray(kept.sum(axis=axes) / held.sum(axis=axes))
            return np.asarray(REDUCE[kind](kept, axis=axes))

        code = Code(full[len(axes) :], run)
        return fixed(run({})) if body.fixed is not None and where is not None else code

    def binder_axis(
        self, binder: Binder, node: Reduce, scope: Scope, place: int
    ) -> tuple[Axis, list[Node]]:
        """The axis of a bound letter, and bounds that depend on other letters as conditions."""
        letter = binder.letter
        if binder.low is None or binder.high is None:
            size = one_size(node, letter, self.shape_of, binder.at)
            if size is None:
                raise FaultError(
                    f"How far index {letter} runs is not known: write "
                    f"{node.kind}_{{{letter}={self.first}}}^{{…}}.",
                    binder.at,
                    "range",
                )
            return Axis(place, self.first, size), []
        low, high = (self.compile(bound, scope) for bound in (binder.low, binder.high))
        sizes = {size for size, _ in uses(node, letter, self.shape_of)}
        last = self.first + min(sizes) - 1 if sizes else None
        if low.shape == () == high.shape:
            start, stop = (_whole_number(bound.run(self.env), binder) for bound in (low, high))
            counts_otherwise = sizes == {stop - start + 1} and start == 1 - self.first
            if counts_otherwise and only_an_index(node, letter):
                start, stop = self.first, self.first + stop - start
            self.check_bounds(binder, start, stop, last)
            return Axis(place, start, max(stop - start + 1, 0)), []
        if last is None or len(sizes) > 1:
            raise FaultError(f"How far index {letter} runs is not known.", binder.at, "range")
        bounds = (("<=", Letter(letter)), ("<=", binder.high))
        return Axis(place, self.first, sizes.pop()), [Compare(binder.low, bounds, binder.at)]

    def check_bounds(self, binder: Binder, start: int, stop: int, last: int | None) -> None:
        if last is not None:
            check_bounds(binder, start, stop, last, self.first)
        if abs(start) > MAX_CELLS or stop - start > MAX_CELLS:
            raise FaultError("These bounds are too far apart.", binder.at, "too-large")


def _flat(value: Array) -> Array:
    """A row as the vector that it is."""
    return value[0] if value.ndim == 2 and value.shape[0] == 1 else value


def is_whole(node: Node) -> bool:
    match node:
        case Name() | Transpose() | Inverse() | Table():
            return True
        case Group(inner):
            return is_whole(inner)
        case Call(_, arguments):
            return all(is_whole(argument) for argument in arguments)
        case _:
            return False


def _located(
    values: list[Array], shape: tuple[int, ...], first: int
) -> tuple[tuple[Array, ...], Array]:
    """The places in the array, and where the indices are inside of it."""
    inside: Array = np.asarray(True)
    places = []
    for value, size in zip(values, shape, strict=True):
        place = value - first
        inside = inside & (place >= 0) & (place < size)
        places.append(np.clip(place, 0, size - 1).astype(int))
    return tuple(places), inside


def _check_whole(place: Array, node: Element) -> None:
    if not np.all(place == np.rint(place)):
        raise FaultError("An index must be a whole number.", node.at, "indices")


def _holds(value: Array) -> Array:
    return np.asarray(value != 0, float)


def _as_float(value: Array) -> Array:
    return np.asarray(value, float)


def _grid(scope: Scope, letter: str, at: int | None) -> Array:
    axis = scope.get(letter)
    if axis is None:
        raise FaultError(f"Index {letter} cannot stand in its own bounds.", at, "bounds")
    values = np.arange(axis.start, axis.start + axis.size, dtype=float)
    return values.reshape((-1,) + (1,) * axis.place)


def _whole_number(value: Array, binder: Binder) -> int:
    number = float(np.asarray(value).reshape(()))
    if not np.isfinite(number) or number != round(number):
        raise FaultError("The bounds of a sum are whole numbers.", binder.at, "bounds")
    return int(number)
