"""Index notation, entry by entry: what computes a node over the letters in scope.

Every letter is an axis of its own. A value has the axes of the letters that it depends on, in any
order; two values are brought together as NumPy broadcasts them.
"""

import operator
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from quizzer.notation.compiler import lookups
from quizzer.notation.compiler.arrays import (
    COMPARE,
    MULTIPLY,
    NEUTRAL,
    REDUCE,
    REDUCE_OVER,
    matrix_function,
)
from quizzer.notation.compiler.index_ranges import (
    Uses,
    check_bounds,
    left_sizes,
    lone_letter,
    one_size,
    only_an_index,
    sizes_along,
    uses_under,
)
from quizzer.notation.compiler.lettered import Axis, Entry, Lettered, check_cells, sizes_of
from quizzer.notation.compiler.program import Code, Function, Program, Shape
from quizzer.notation.compiler.wholes import matrix_value
from quizzer.notation.functions import ELEMENTWISE
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
    factors_of,
    is_whole,
    walk,
)
from quizzer.notation.values import MAX_CELLS, FaultError

Scope = Mapping[str, Axis]


class Entries:
    """Compiles nodes over letters, for arrays of certain shapes."""

    def __init__(
        self, program: Program, names: Mapping[str, Code], first: int, found: dict[int, Uses]
    ) -> None:
        """`found` keeps what was found out of nodes, which outlive it, for other shapes."""
        self.program = program
        self.names = names
        self.first = first
        self.found = found
        self.lettered = Lettered(program)
        self.inside: list[Entry] | None = None
        """Where the elements that are read for a maximum, minimum or mean lie in their arrays."""

    def answer(self, node: Node, letters: tuple[str, ...], shape: Shape | None) -> Code:
        """The array whose axes are the letters of the left side.

        `shape` is that of the asked array; letters whose range no array tells take it from there.
        Raises FaultError where ranges disagree or an index is no whole number.
        """
        sizes = left_sizes(node, self.uses(node), letters, self.shape_of, shape, node.at)
        check_cells(sizes, node.at)
        axes = tuple(range(len(letters)))
        scope = {
            letter: Axis(number, self.first, size)
            for number, letter, size in zip(axes, letters, sizes, strict=True)
        }
        entry = self.lettered.number(self.entry(node, scope))
        full = self.lettered.over(entry, dict(zip(axes, sizes, strict=True)))
        return self.lettered.ordered(full, axes)

    def uses(self, node: Node) -> Uses:
        """Where letters are indices below the node, looked for once."""
        if id(node) not in self.found:
            self.found[id(node)] = uses_under(node)
        return self.found[id(node)]

    def shape_of(self, base: Node) -> Shape:
        """The shape of a whole array."""
        return self.whole(base).shape

    def entry(self, node: Node, scope: Scope) -> Entry:
        match node:
            case Number(value):
                return self.lettered.constant(value)
            case Group(inner):
                return self.entry(inner, scope)
            case Letter(letter, at):
                if letter not in scope:
                    raise FaultError(
                        f"Index {letter} cannot stand in its own bounds.", at, "bounds"
                    )
                return self.lettered.values_of(scope[letter])
            case Element():
                return self.element(node, scope)
            case Sum(terms):
                return self.sum(terms, scope, node)
            case Product(factors) if len(factors) > 1:
                return self.product(factors, scope, node)
            case Power(base, exponent):
                return self.power(base, exponent, scope, node)
            case Call():
                return self.call(node, scope)
            case Compare(first, rest):
                return self.compare(first, rest, scope, node)
            case Logic(word, parts):
                join = operator.and_ if word == "and" else operator.or_
                truths = [self.truth(part, scope) for part in parts]
                return self.chain(join, truths, node)
            case Choice(yes, test, no):
                holds, chosen, other = (self.entry(part, scope) for part in (test, yes, no))
                return self.lettered.choose(holds, chosen, other, node.at)
            case Reduce():
                return self.reduce(node, scope)
            case Name() | Product():
                return self.single(node)
            case _:
                raise FaultError("This is an array: give it its indices.", node.at, "indices")

    def truth(self, node: Node, scope: Scope) -> Entry:
        return self.lettered.truth(self.entry(node, scope))

    def chain(self, function: Function, entries: Sequence[Entry], node: Node) -> Entry:
        """The entries joined from left to right; truth values remain truth values."""
        found = entries[0]
        for entry in entries[1:]:
            found = self.lettered.join(function, (found, entry), node.at, found.code.truth)
        return found

    def sum(self, terms: tuple[tuple[int, Node], ...], scope: Scope, node: Node) -> Entry:
        total = self.entry(terms[0][1], scope)
        if terms[0][0] < 0:
            total = self.lettered.apply(operator.neg, total)
        for sign, term in terms[1:]:
            function = operator.add if sign > 0 else operator.sub
            total = self.lettered.combine(function, total, self.entry(term, scope), node.at)
        return total

    def product(self, factors: tuple[tuple[str, Node], ...], scope: Scope, node: Node) -> Entry:
        total = self.entry(factors[0][1], scope)
        for sign, factor in factors[1:]:
            function = MULTIPLY.get(sign, operator.mul)
            total = self.lettered.combine(function, total, self.entry(factor, scope), node.at)
        return total

    def power(self, base: Node, exponent: Node, scope: Scope, node: Node) -> Entry:
        raised = self.entry(base, scope)
        if isinstance(exponent, Number) and exponent.value == 2:
            return self.lettered.combine(operator.mul, raised, raised, node.at)
        return self.lettered.combine(operator.pow, raised, self.entry(exponent, scope), node.at)

    def compare(
        self, first: Node, rest: tuple[tuple[str, Node], ...], scope: Scope, node: Node
    ) -> Entry:
        links, left = [], self.entry(first, scope)
        for sign, part in rest:
            right = self.entry(part, scope)
            links.append(self.lettered.combine(COMPARE[sign], left, right, node.at, truth=True))
            left = right
        return self.chain(operator.and_, links, node)

    def call(self, node: Call, scope: Scope) -> Entry:
        if node.function in ("max", "min", "clip") and len(node.arguments) > 1:
            values = [self.lettered.number(self.entry(part, scope)) for part in node.arguments]
            if node.function == "clip":
                value, low, high = values
                above = self.chain(np.maximum, (value, low), node)
                return self.chain(np.minimum, (above, high), node)
            return self.chain(np.maximum if node.function == "max" else np.minimum, values, node)
        if node.function not in ELEMENTWISE or is_whole(node.arguments[0]):
            return self.single(node)
        return self.lettered.apply(ELEMENTWISE[node.function], self.entry(node.arguments[0], scope))

    # Arrays

    def single(self, node: Node) -> Entry:
        """A whole that is a number."""
        code = self.whole(node)
        if code.shape:
            raise FaultError("This is an array: give it its indices.", node.at, "indices")
        return Entry(code)

    def whole(self, node: Node) -> Code:
        """An array as a whole, or a number."""
        match node:
            case Name(name):
                return self.names[name]
            case Group(inner):
                return self.whole(inner)
            case Transpose(base):
                code = self.whole(base)
                return self.program.transposed(code, tuple(range(len(code.shape)))[::-1])
            case Inverse(base):
                return matrix_function(self.program, "inv", self.whole(base), node.at)
            case Call(function, (argument,)) if function in REDUCE:
                return self.program.call(REDUCE[function], self.whole(argument), shape=())
            case Call(function, (argument,)) if function in ELEMENTWISE:
                code = self.whole(argument)
                return self.program.call(ELEMENTWISE[function], code, shape=code.shape)
            case Call(function, (argument,)):
                return matrix_function(self.program, function, self.whole(argument), node.at)
            case Table(letters, body):
                return self.answer(body, letters, None)
            case _:
                return matrix_value(self.program, self.names, node)

    def element(self, node: Element, scope: Scope) -> Entry:
        """The elements at the indices; 0 outside of the array."""
        base = self.whole(node.base)
        if len(base.shape) != len(node.indices):
            raise FaultError("This array has another number of axes.", node.at, "indices")
        plain = self.plain(base, node.indices, scope)
        if plain is not None:
            return plain
        places = [self.lettered.number(self.entry(index, scope)) for index in node.indices]
        for index, place in zip(node.indices, places, strict=True):
            if place.code.fixed is not None:
                self.check_place(index, place.code.fixed, node.at)
        found, inside = lookups.read(base, places, self.first, self.lettered, node.at)
        if inside is not None and self.inside is not None:
            self.inside.append(inside)
        return found

    def plain(self, base: Code, indices: Sequence[Node], scope: Scope) -> Entry | None:
        """The array itself, where different letters run over the whole of its axes."""
        axes = []
        for index, size in zip(indices, base.shape, strict=True):
            axis = scope.get(lone_letter(index) or "")
            if axis is None or (axis.start, axis.size) != (self.first, size):
                return None
            axes.append(axis.number)
        return Entry(base, tuple(axes)) if len(set(axes)) == len(axes) else None

    def check_place(self, index: Node, place: Any, at: int | None) -> None:
        """Refuses `x[-1]`: no array has that place here, though NumPy would take the last one."""
        lookups.check_whole(place, at)
        alone = not any(isinstance(part, Letter | Name) for part in walk(index))
        if alone and place < self.first:
            raise FaultError(
                f"There is no place {int(place)}: this card counts from {self.first}.",
                at,
                "indices",
            )

    # Over letters

    def reduce(self, node: Reduce, scope: Scope) -> Entry:
        inner, conditions = self.bound(node, scope)
        axes = [inner[binder.letter] for binder in node.binders]
        over = {axis.number: axis.size for axis in axes}
        kept = self.inside
        self.inside = [] if node.kind in ("max", "min", "mean") else None
        if node.kind == "sum" and not conditions:
            found = self.sum_of_product(node, inner, over)
            self.inside = kept
            return found
        body, masks = self.entry(node.body, inner), self.inside or []
        self.inside = kept
        masks += [self.truth(condition, inner) for condition in conditions]
        check_cells((sizes_of((body, *masks)) | over).values(), node.at)
        if masks:
            return self.over_some(node, body, self.chain(operator.and_, masks, node), over)
        if 0 in over.values() and node.kind != "sum":
            raise FaultError(f"This {node.kind} runs over nothing.", node.at, "range")
        found = self.lettered.reduce(REDUCE_OVER[node.kind], body, over)
        if node.kind != "mean":
            return found
        count = self.lettered.constant(prod(over.values()))
        return self.lettered.combine(operator.truediv, found, count, node.at)

    def over_some(self, node: Reduce, body: Entry, held: Entry, over: dict[int, int]) -> Entry:
        """Over the cells where the condition holds; a mean counts only these."""
        neutral = self.lettered.constant(NEUTRAL[node.kind])
        kept = self.lettered.choose(held, body, neutral, node.at)
        found = self.lettered.reduce(REDUCE_OVER[node.kind], kept, over)
        if node.kind != "mean":
            return found
        count = self.lettered.reduce(np.add.reduce, held, over)
        return self.lettered.combine(operator.truediv, found, count, node.at)

    def sum_of_product(self, node: Reduce, inner: Scope, over: dict[int, int]) -> Entry:
        """A sum where nothing is left out: what does not depend on its letters stands outside."""
        factors: list[Entry] = []
        divisors: list[Entry] = []
        for part, divides in factors_of(node.body):
            entry = self.entry(part, inner)
            if not divides:
                factors.append(entry)
            elif over.keys().isdisjoint(entry.axes) and np.all(entry.code.fixed):
                divisors.append(entry)
            else:
                divided = factors.pop() if factors else self.lettered.constant(1.0)
                factors.append(self.lettered.combine(operator.truediv, divided, entry, part.at))
        check_cells((sizes_of((*factors, *divisors)) | over).values(), node.at)
        return self.lettered.total(factors, divisors, over, node.at)

    def bound(self, node: Reduce, scope: Scope) -> tuple[Scope, list[Node]]:
        """The scope with the letters that the node binds, and the conditions on these."""
        inner = dict(scope)
        conditions = [] if node.condition is None else [node.condition]
        free = 1 + max((axis.number for axis in scope.values()), default=-1)
        for number, binder in enumerate(node.binders, free):
            axis, limits = self.axis_of(binder, node, scope, number)
            inner[binder.letter] = axis
            conditions += limits
        return inner, conditions

    def axis_of(
        self, binder: Binder, node: Reduce, scope: Scope, number: int
    ) -> tuple[Axis, list[Node]]:
        """The axis of a bound letter, and bounds that depend on other letters as conditions."""
        letter = binder.letter
        if binder.low is None or binder.high is None:
            size = one_size(self.uses(node), letter, self.shape_of, binder.at)
            if size is None and binder.like is not None and binder.like in scope:
                size = scope[binder.like].size
            if size is None:
                how = f"write {node.kind}_{{{letter}={self.first}}}^{{…}}."
                why = f"How far index {letter} runs is not known: {how}"
                raise FaultError(why, binder.at, "range")
            return Axis(number, self.first, size), []
        low, high = (self.entry(bound, scope) for bound in (binder.low, binder.high))
        sizes = {size for size, _ in sizes_along(self.uses(node), letter, self.shape_of)}
        last = self.first + min(sizes) - 1 if sizes else None
        if low.axes == () == high.axes:
            start, stop = (self.whole_number(bound, binder) for bound in (low, high))
            counts_otherwise = sizes == {stop - start + 1} and start == 1 - self.first
            if counts_otherwise and only_an_index(node, letter):
                start, stop = self.first, self.first + stop - start
            if last is not None:
                check_bounds(binder, start, stop, last, self.first)
            if abs(start) > MAX_CELLS or stop - start > MAX_CELLS:
                raise FaultError("These bounds are too far apart.", binder.at, "too-large")
            return Axis(number, start, max(stop - start + 1, 0)), []
        bounds = (("<=", Letter(letter)), ("<=", binder.high))
        limits: list[Node] = [Compare(binder.low, bounds, binder.at)]
        if last is None and low.code.fixed is not None and high.code.fixed is not None:
            start, stop = np.min(low.code.fixed), np.max(high.code.fixed)
            if not max(abs(start), abs(stop)) <= MAX_CELLS:
                raise FaultError("These bounds are too far apart.", binder.at, "too-large")
            return Axis(number, int(start), max(int(stop - start) + 1, 0)), limits
        if last is None or len(sizes) > 1:
            raise FaultError(f"How far index {letter} runs is not known.", binder.at, "range")
        return Axis(number, self.first, sizes.pop()), limits

    def whole_number(self, bound: Entry, binder: Binder) -> int:
        number = float(self.program.value_of(bound.code))
        if not np.isfinite(number) or number != round(number):
            raise FaultError("The bounds of a sum are whole numbers.", binder.at, "bounds")
        return int(number)
