"""A formula in index notation → NumPy, for arrays of any sizes.

Each letter is an axis. A sum over a product is an `einsum`; a condition is a mask; a letter whose
value is meant is an `arange`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from quizzer.checker.printed.body import Body, Extent
from quizzer.checker.printed.functions import ELEMENTWISE, TO_A_NUMBER, WHOLE
from quizzer.checker.printed.lettered import (
    Axis,
    Scope,
    contracted,
    function,
    joined,
    operator,
    reduced,
    tight,
    together,
    truth,
)
from quizzer.checker.printed.matrix import MatrixPrinter
from quizzer.checker.printed.places import Places
from quizzer.checker.printed.values import (
    ADDITION,
    ATOM,
    BIT_OR,
    COMPARISON,
    MINUS,
    PRODUCT,
    CannotPrint,
    Text,
    literal,
    number,
    power,
    spread,
)
from quizzer.notation.compiler.index_ranges import lone_letter, only_an_index, uses_under
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
)

_NEUTRAL = {"sum": "0.0", "mean": "0.0", "prod": "1.0", "max": "-np.inf", "min": "np.inf"}
_SIGNS = {"/": "/", "⊘": "/", "//": "//", "%": "%"}


@dataclass(slots=True)
class IndexPrinter:
    """Prints the right sides of formulas; what they need goes to the body before them."""

    body: Body
    first: int
    places: Places
    rows: Mapping[str, int] = field(default_factory=dict)
    """The arrays of a recurrence, kept by rows: what was added to their first index."""
    inside: list[Text] | None = None

    def formula(
        self,
        node: Node,
        letters: tuple[str, ...],
        given: Mapping[str, Extent],
        scope: Scope | None = None,
    ) -> tuple[str, tuple[Extent, ...]]:
        """The array whose axes are the letters of the left side, and how long these are; `given`
        are the letters with a range of their own."""
        extents = tuple(given.get(letter) or self._extent(node, letter) for letter in letters)
        inner = dict(scope or {})
        for letter, extent in zip(letters, extents, strict=True):
            inner[letter] = Axis(letter, str(self.first), extent)
        text = number(self.text(node, inner))
        if set(text.axes) < set(letters):
            source = spread(text, letters).source
            shape = ", ".join(extent.source for extent in extents)
            comma = "," if len(extents) == 1 else ""
            text = Text(f"np.broadcast_to({source}, ({shape}{comma}))", axes=letters)
        return spread(text, letters).source, extents

    def _extent(self, node: Node, letter: str) -> Extent:
        for element, axis in uses_under(node).get(letter, ()):
            return self.whole(element.base)[1][axis]
        raise CannotPrint(f"how far {letter} runs is not known")

    def text(self, node: Node, scope: Scope) -> Text:
        match node:
            case Number(value):
                return Text(literal(value), whole=value == int(value))
            case Group(inner):
                return self.text(inner, scope)
            case Letter(letter):
                return self.letter(scope[letter])
            case Element():
                return self.element(node, scope)
            case Sum(terms):
                return self.sum(terms, scope)
            case Product(factors) if len(factors) > 1:
                return self.product(factors, scope)
            case Power(base, exponent):
                return self.power(base, exponent, scope)
            case Call():
                return self.call(node, scope)
            case Compare(first, rest):
                return self.compare(first, rest, scope)
            case Logic(word, parts):
                sign = "&" if word == "and" else "|"
                return joined(sign, [truth(self.text(part, scope)) for part in parts], scope)
            case Choice(yes, test, no):
                chosen = [self.text(part, scope) for part in (yes, no)]
                return function("np.where", [truth(self.text(test, scope)), *chosen], scope)
            case Reduce():
                return self.reduce(node, scope)
            case _:
                return self.single(node)

    def letter(self, axis: Axis) -> Text:
        if axis.stepped:
            return Text(axis.key, whole=True)
        stop = axis.extent.source
        if axis.start != "0":
            stop = f"{axis.start}, {_plus(axis.start, stop)}"
        return Text(self.body.letter(axis.key, f"np.arange({stop})"), axes=(axis.key,), whole=True)

    # Entry by entry

    def sum(self, terms: tuple[tuple[int, Node], ...], scope: Scope) -> Text:
        simple = self.places.simple(terms, scope)
        if simple is not None:
            terms = simple
        total = number(self.text(terms[0][1], scope))
        if terms[0][0] < 0:
            total = replace(total, source=f"-{total.within(MINUS)}", binds=MINUS)
        for sign, term in terms[1:]:
            other = number(self.text(term, scope))
            total = operator("+" if sign > 0 else "-", ADDITION, total, other, scope)
        return total

    def product(self, factors: tuple[tuple[str, Node], ...], scope: Scope) -> Text:
        total = self.text(factors[0][1], scope)
        for sign, factor in factors[1:]:
            other = self.text(factor, scope)
            if sign not in _SIGNS and total.truth and other.truth:
                total = joined("&", [total, other], scope)
                continue
            if sign in _SIGNS:
                total, other = number(total), number(other)
            total = operator(_SIGNS.get(sign, "*"), PRODUCT, total, other, scope)
        return total

    def power(self, base: Node, exponent: Node, scope: Scope) -> Text:
        parts = [number(self.text(base, scope)), number(self.text(exponent, scope))]
        (raised, above), axes = together(parts, scope)
        return power(raised, above, axes)

    def compare(self, first: Node, rest: tuple[tuple[str, Node], ...], scope: Scope) -> Text:
        links, left = [], number(self.text(first, scope))
        for sign, part in rest:
            right = number(self.text(part, scope))
            (a, b), axes = together([left, right], scope)
            source = f"{a.within(BIT_OR)} {sign} {b.within(BIT_OR)}"
            links.append(Text(source, COMPARISON, axes, truth=True))
            left = right
        return joined("&", links, scope)

    def call(self, node: Call, scope: Scope) -> Text:
        name = node.function
        if name in ("max", "min", "clip") and len(node.arguments) > 1:
            values = [number(self.text(part, scope)) for part in node.arguments]
            if name == "clip":
                return function("np.clip", values, scope)
            found = values[0]
            for other in values[1:]:
                found = function(f"np.{name}imum", [found, other], scope)
            return found
        if name not in ELEMENTWISE or is_whole(node.arguments[0]):
            return self.single(node)
        inner = number(self.text(node.arguments[0], scope))
        return Text(f"{ELEMENTWISE[name]}({inner.source})", axes=inner.axes)

    # Arrays

    def single(self, node: Node) -> Text:
        text, extents = self.whole(node)
        if extents:
            raise CannotPrint("an array stands where a number is wanted")
        return text

    def whole(self, node: Node) -> tuple[Text, tuple[Extent, ...]]:
        """An array as a whole, with its axes."""
        match node:
            case Name(name):
                return Text(name), self.body.arrays[name]
            case Group(inner):
                return self.whole(inner)
            case Transpose(base):
                text, extents = self.whole(base)
                return Text(f"{text.within(ATOM)}.T"), extents[::-1]
            case Inverse(base):
                text, extents = self.whole(base)
                return Text(f"np.linalg.inv({text.source})"), extents
            case Call(function, (argument,)) if is_whole(argument) and function in ELEMENTWISE:
                text, extents = self.whole(argument)
                return Text(f"{ELEMENTWISE[function]}({text.source})"), extents
            case Call(function, (argument,)) if is_whole(argument) and function in TO_A_NUMBER:
                return Text(f"{WHOLE[function]}({self.whole(argument)[0].source})"), ()
            case Table(letters, body):
                source, extents = self.formula(body, letters, {})
                return Text(self.body.hoisted("table", source)), extents
            case _:
                return MatrixPrinter(self.body).value(node)

    def element(self, node: Element, scope: Scope) -> Text:
        """The elements at the indices; 0 outside of the array."""
        base, extents = self.whole(node.base)
        indices = node.indices
        if isinstance(node.base, Name) and node.base.name in self.rows:
            row = self.places.shifted(indices[0], -self.rows[node.base.name])
            base = Text(f"{base.source}[{self.text(row, scope).source}]")
            indices, extents = indices[1:], extents[1:]
        if not indices:
            return base
        plain = [self._plain(i, e, scope) for i, e in zip(indices, extents, strict=True)]
        if all(plain) and len(set(plain)) == len(plain):
            return replace(base, axes=tuple(key or "" for key in plain))
        array = base.within(ATOM)
        if self.places.always_inside(node.base, indices, extents, scope):
            return self._read(array, indices, plain, scope)
        texts, axes = together([self._place(index, scope) for index in indices], scope)
        sources = ", ".join([array, *(text.source for text in texts)])
        if self.inside is not None:
            self.inside.append(Text(f"_inside({sources})", axes=axes, truth=True))
        return Text(f"_at({sources})", axes=axes)

    def _read(
        self, array: str, indices: Sequence[Node], plain: Sequence[str | None], scope: Scope
    ) -> Text:
        """Elements that are inside: whole axes are left as they are where NumPy lets them."""
        others = [self._place(i, scope) for i, key in zip(indices, plain, strict=True) if not key]
        where = [k for k, key in enumerate(plain) if not key]
        kept = [key for key in plain if key]
        if not where:  # P[n,n]
            others, where, kept = [self._place(i, scope) for i in indices], [0], []
        beside = where == list(range(where[0], where[-1] + 1)) and len(set(kept)) == len(kept)
        if not beside or {axis for text in others for axis in text.axes} & set(kept):
            others, where, kept = [self._place(i, scope) for i in indices], [0], []
        texts, axes = together(others, scope)
        if not kept:
            return Text(f"{array}[{', '.join(text.source for text in texts)}]", axes=axes)
        parts = [":"] * where[0] + [text.source for text in texts]
        before, behind = kept[: where[0]], kept[where[0] :]
        return Text(f"{array}[{', '.join(parts)}]", axes=(*before, *axes, *behind))

    def _plain(self, index: Node, extent: Extent, scope: Scope) -> str | None:
        """The letter that runs over the whole of an axis, if the index is one."""
        axis = scope.get(lone_letter(index) or "")
        if axis is None or axis.stepped or axis.start != str(self.first):
            return None
        return axis.key if axis.extent.lengths == extent.lengths else None

    def _place(self, index: Node, scope: Scope) -> Text:
        """An index, counted from 0."""
        text = number(self.text(self.places.shifted(index, -self.first), scope))
        if text.whole or self.places.is_whole_input(index):
            return text
        if not text.axes:
            return Text(f"int({text.source})")
        return Text(f"{text.within(ATOM)}.astype(int)", axes=text.axes)

    # Over letters

    def reduce(self, node: Reduce, scope: Scope) -> Text:
        inner, conditions = self.bound(node, scope)
        over = [inner[binder.letter] for binder in node.binders]
        before, self.inside = self.inside, [] if node.kind in ("max", "min", "mean") else None
        try:
            if node.kind == "sum" and not conditions:
                return self.einsum(node, inner, over)
            body = number(self.text(node.body, inner))
            masks = (self.inside or []) + [truth(self.text(each, inner)) for each in conditions]
        finally:
            self.inside = before
        if not masks:
            return reduced(node.kind, body, over)
        held = joined("&", masks, inner)
        kept = function("np.where", [held, body, Text(_NEUTRAL[node.kind])], inner)
        if node.kind != "mean":
            return reduced(node.kind, kept, over)
        count = reduced("sum", held, over)
        return operator("/", PRODUCT, reduced("sum", kept, over), count, scope)

    def einsum(self, node: Reduce, inner: Scope, over: Sequence[Axis]) -> Text:
        """A sum where nothing is left out: what does not depend on its letters is outside."""
        summed = {axis.key for axis in over}
        factors: list[Text] = []
        divisors: list[Text] = []
        for part, divides in factors_of(node.body):
            text = self.text(part, inner)
            if not divides:
                factors.append(text)
            elif not summed & set(text.axes):
                divisors.append(number(text))
            else:
                before = number(factors.pop()) if factors else Text("1.0")
                factors.append(operator("/", PRODUCT, before, number(text), inner))
        inside = [text for text in factors if summed & set(text.axes)]
        found = {axis for text in inside for axis in text.axes}
        there = [axis for axis in over if axis.key in found]
        counted = [Text(tight(a.extent.source), PRODUCT) for a in over if a.key not in found]
        outside = [number(text) for text in factors if not summed & set(text.axes)] + counted
        total: Text | None = None
        for text in outside:
            total = text if total is None else operator("*", PRODUCT, total, text, inner)
        if inside:
            sums = contracted(inside, there, inner)
            total = sums if total is None else operator("*", PRODUCT, total, sums, inner)
        assert total is not None
        for text in divisors:
            total = operator("/", PRODUCT, total, text, inner)
        return total

    def bound(self, node: Reduce, scope: Scope) -> tuple[dict[str, Axis], list[Node]]:
        """The scope with the letters that the node binds, and the conditions on these."""
        inner = dict(scope)
        conditions = [] if node.condition is None else [node.condition]
        for binder in node.binders:
            axis, limits = self.axis_of(binder, node, scope, inner)
            inner.pop(binder.letter, None)
            inner[binder.letter] = axis
            conditions += limits
        return inner, conditions

    def axis_of(
        self, binder: Binder, node: Reduce, scope: Scope, inner: Scope
    ) -> tuple[Axis, list[Node]]:
        key = binder.letter
        while any(axis.key == key for axis in (*scope.values(), *inner.values())):
            key += "'"
        if binder.low is None or binder.high is None:
            return Axis(key, str(self.first), self._extent(node, binder.letter)), []
        low, high = self.text(binder.low, scope), self.text(binder.high, scope)
        if low.axes == () == high.axes:
            starts, stops = self.places.numbers(binder.low), self.places.numbers(binder.high)
            if starts is None or stops is None:
                raise CannotPrint(f"the bounds of {binder.letter} are no sizes")
            lengths = tuple(max(b - a + 1, 0) for a, b in zip(starts, stops, strict=True))
            start = low.source
            if set(starts) == {1 - self.first} and only_an_index(node, binder.letter):
                uses = uses_under(node).get(binder.letter, ())
                sizes = {self.whole(e.base)[1][k].lengths for e, k in uses}
                start = str(self.first) if sizes == {lengths} else start
            length = _length(low, high)
            return Axis(key, start, Extent(length, lengths)), []
        limits = (("<=", Letter(binder.letter)), ("<=", binder.high))
        extent = self._extent(node, binder.letter)
        return Axis(key, str(self.first), extent), [Compare(binder.low, limits)]


def _plus(a: str, b: str) -> str:
    if a.lstrip("-").isdigit() and b.isdigit():
        return str(int(a) + int(b))
    if a.isdigit() and (head := b.removesuffix(f" - {a}")) != b:
        return head
    return f"{b} + {a}" if a.isdigit() else f"{a} + {b}"


def _length(low: Text, high: Text) -> str:
    if low.source.isdigit() and high.source.isdigit():
        return str(int(high.source) - int(low.source) + 1)
    if low.source == "1":
        return high.source
    if low.source == "0":
        head = high.source.removesuffix(" - 1")
        return head if head != high.source else f"{high.source} + 1"
    return f"{high.source} - {low.within(PRODUCT)} + 1"
