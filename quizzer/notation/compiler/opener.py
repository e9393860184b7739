"""Arrays among indices, part by part: how large each is, and its entry in a row and a column."""

from collections.abc import Callable, Mapping

from quizzer.notation import matrix_sizes
from quizzer.notation.compiler.entries import ZERO, Open, product_of
from quizzer.notation.compiler.index_ranges import lengths_under
from quizzer.notation.compiler.matrix_meaning import TWO_DOTS, TWO_SQUARES, the_meaning
from quizzer.notation.functions import ELEMENTWISE, SQUARE_ONLY
from quizzer.notation.matrix_sizes import ANY, NUMBER, OPEN, Length, Size
from quizzer.notation.nodes import (
    Binder,
    Call,
    Choice,
    Compare,
    Element,
    Group,
    Identity,
    Inverse,
    Letter,
    Logic,
    Name,
    Node,
    Number,
    Ones,
    Power,
    Product,
    Reduce,
    Sum,
    Table,
    Transpose,
    substituted,
    walk,
)
from quizzer.notation.values import FaultError

_WHOLE = frozenset({*SQUARE_ONLY, "pinv", "diag", "softmax"})
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Opener:
    """Gives every array its letters. `columns` are the names whose single index is a column's."""

    def __init__(
        self,
        names: Mapping[str, tuple[Length, ...]],
        values: Mapping[str, Length],
        columns: frozenset[str],
        used: set[str],
        dots: str = "",
    ) -> None:
        self.names = names
        self.values = values
        self.columns = columns
        self.used = used
        self.dots = dots
        """What a dot between two vectors is: the elementwise product `⊙`, or the `inner` one."""

    def fresh(self) -> str:
        for letter in _LETTERS:
            if letter not in self.used:
                self.used.add(letter)
                return letter
        raise FaultError("Too many index letters.", None, "too-large")

    def open(self, node: Node) -> Open:
        try:
            return self._open(node)
        except FaultError as fault:
            raise fault.placed(node.at) from None

    def _open(self, node: Node) -> Open:
        if not _has_letters(node) and not isinstance(node, Number | Name | Ones | Identity):
            whole = self.whole(node)
            if whole is not None:
                return whole
        match node:
            case Number() | Letter():
                return Open(NUMBER, lambda r, c: node)
            case Name(name):
                if name not in self.names:
                    raise FaultError(
                        f"{name} is an array of unknown size here.", node.at, "indices"
                    )
                return self.array(node, self.names[name])
            case Group(inner, at):
                found = self.open(inner)
                return Open(found.size, lambda r, c: Group(found.entry(r, c), at))
            case Identity():
                return Open(Size(identity=True), lambda r, c: Compare(r, (("==", c),)))
            case Ones():
                return Open(Size(None, (1,)), lambda r, c: Number(1.0))
            case Element(base, indices):
                return self.element(base, indices, node)
            case Table((letter,), body):
                return self.listed(letter, body, node)
            case Transpose(base):
                turned = self.open(base)
                size = matrix_sizes.transposed(turned.size)
                return Open(size, lambda r, c: turned.entry(c, r))
            case Sum(terms):
                return self.sum(terms, node)
            case Product():
                return self.product(node)
            case Power():
                return self.power(node)
            case Call() | Inverse():
                return self.call(node)
            case Reduce():
                return self.reduce(node)
            case Compare(first, rest):
                parts = [self.open(first), *(self.open(part) for _, part in rest)]
                return self.joined(
                    parts,
                    lambda nodes: Compare(
                        nodes[0],
                        tuple((sign, n) for (sign, _), n in zip(rest, nodes[1:], strict=True)),
                        node.at,
                    ),
                )
            case Logic(word, parts):
                opened = [self.open(part) for part in parts]
                return self.joined(opened, lambda nodes: Logic(word, tuple(nodes), node.at))
            case Choice(yes, test, no):
                opened = [self.open(part) for part in (yes, test, no)]
                return self.joined(
                    opened, lambda nodes: Choice(nodes[0], nodes[1], nodes[2], node.at)
                )
            case _:
                raise FaultError("This cannot stand among indices.", node.at, "indices")

    def whole(self, node: Node) -> Open | None:
        """A matrix formula without letters; None where its size is open."""
        found, size = the_meaning(node, matrix_sizes.of_table(self.names), self.values)
        if size.open or size.identity:
            return None
        return self.sized(Product((("*", found),), node.at), size)

    def sized(self, node: Node, size: Size) -> Open:
        """A whole array; of a vector, a row too, it has one axis."""
        if size.number:
            return Open(size, lambda r, c: node)
        if size.column:
            return Open(size, lambda r, c: Element(node, (r,), node.at))
        if size.vector:
            return Open(size, lambda r, c: Element(node, (c,), node.at))
        return Open(size, lambda r, c: Element(node, (r, c), node.at))

    def array(self, node: Name, axes: tuple[Length, ...]) -> Open:
        size = matrix_sizes.of_shape(axes)
        if len(axes) > 2:
            raise FaultError(
                f"{node.name} is an array: write its indices, {node.name}[…].", node.at, "indices"
            )
        if not axes:
            return Open(NUMBER, lambda r, c: node)
        if len(axes) == 1:
            return Open(size, lambda r, c: Element(node, (r,), node.at))
        return Open(size, lambda r, c: Element(node, (r, c), node.at))

    def element(self, base: Node, indices: tuple[Node, ...], node: Element) -> Open:
        closed = tuple(self.open(index).entry(ZERO, ZERO) for index in indices)
        if isinstance(base, Name):
            axes = self.names.get(base.name, (ANY,) * len(indices))
            if len(indices) == len(axes):
                return Open(NUMBER, lambda r, c: Element(base, closed, node.at))
            if len(axes) == 2 and base.name in self.columns:
                return Open(
                    matrix_sizes.of_shape(axes[:1]),
                    lambda r, c: Element(base, (r, *closed), node.at),
                )
            rest = axes[len(indices) :]
            if len(rest) == 1:
                return Open(
                    matrix_sizes.of_shape(rest), lambda r, c: Element(base, (*closed, r), node.at)
                )
            return Open(
                matrix_sizes.of_shape(rest), lambda r, c: Element(base, (*closed, r, c), node.at)
            )
        found = self.open(base)
        if found.size.number:
            raise FaultError("This is a number: it has no indices.", node.at, "indices")
        if found.size.vector:
            if len(closed) != 1:
                raise FaultError("A vector has one index.", node.at, "indices")
            at = (closed[0], ZERO) if found.size.column else (ZERO, closed[0])
            return Open(NUMBER, lambda r, c: found.entry(*at))
        if len(closed) != 2:
            raise FaultError("A matrix has two indices.", node.at, "indices")
        return Open(NUMBER, lambda r, c: found.entry(*closed))

    def listed(self, letter: str, body: Node, node: Node) -> Open:
        """A vector by its entries."""
        part = self.open(body)
        if not part.size.number:
            raise FaultError("An entry of a vector is a number.", node.at, "shape")
        lengths = lengths_under(body, letter, self.names)
        size = matrix_sizes.of_shape((lengths[0][0] if lengths else ANY,))
        entry = part.entry(ZERO, ZERO)
        return Open(size, lambda r, c: substituted(entry, {letter: r}))

    def sum(self, terms: tuple[tuple[int, Node], ...], node: Sum) -> Open:
        parts = [self.open(term) for _, term in terms]
        size = parts[0].size
        for part in parts[1:]:
            size = matrix_sizes.added(size, part.size)
        signs = [sign for sign, _ in terms]

        def entry(r: Node, c: Node) -> Node:
            found = (part.entry(r, c) for part in parts)
            return Sum(tuple(zip(signs, found, strict=True)), node.at)

        return Open(size, entry)

    def joined(self, parts: list[Open], make: Callable[[list[Node]], Node]) -> Open:
        size = parts[0].size
        for part in parts[1:]:
            size = matrix_sizes.joined(size, part.size, "combined")
        return Open(size, lambda r, c: make([part.entry(r, c) for part in parts]))

    def product(self, node: Product) -> Open:
        total = self.open(node.factors[0][1])
        for sign, factor in node.factors[1:]:
            total = self.times(sign, total, self.open(factor), node.at)
        return total

    def times(self, sign: str, a: Open, b: Open, at: int | None) -> Open:
        """Two factors; side by side, of arrays, it is the matrix product."""
        if sign in ("//", "%") and not (a.size.number and b.size.number):
            raise FaultError("This is only for numbers.", at, "shape")
        if sign == "/":
            size = matrix_sizes.divided(a.size, b.size)
        elif sign in ("⊙", "⊘"):
            size = matrix_sizes.entrywise(a.size, b.size, "multiplied elementwise")
        elif a.size.number or b.size.number:
            size = matrix_sizes.times(a.size, b.size)
        elif sign == "⊗":
            if not (a.size.column and b.size.column):
                raise FaultError("⊗ stands between two vectors here.", at, "shape")
            size = Size(a.size.rows, b.size.rows)
            return Open(size, lambda r, c: product_of(a.entry(r, ZERO), b.entry(c, ZERO), at))
        elif sign == " " or (a.size, b.size) != (b.size, a.size):
            return self.matrix_product(a, b, at)
        elif sign == "·" and self.dots == "inner" and a.size.vector:
            return self.total("inner", [a, b], at)
        elif sign == "·" and not self.dots:
            raise FaultError(TWO_DOTS, at, "ambiguous")
        else:
            size = a.size
        mark = sign if sign in ("/", "⊘", "//", "%") else "*"
        return Open(
            size,
            lambda r, c: Product((("*", a.entry(r, c)), (mark, b.entry(r, c))), at),
        )

    def matrix_product(self, a: Open, b: Open, at: int | None) -> Open:
        size = matrix_sizes.times(a.size, b.size)
        if a.size.identity or b.size.identity:
            kept = b if a.size.identity else a
            return Open(kept.size, kept.entry)
        if a.size.column:
            return Open(size, lambda r, c: product_of(a.entry(r, ZERO), b.entry(ZERO, c), at))

        def entry(r: Node, c: Node) -> Node:
            letter = self.fresh()
            inside = product_of(a.entry(r, Letter(letter)), b.entry(Letter(letter), c), at)
            return Reduce("sum", (Binder(letter),), None, inside, at)

        return Open(size, entry)

    def power(self, node: Power) -> Open:
        base, exponent = self.open(node.base), self.open(node.exponent)
        if not exponent.size.number:
            raise FaultError("An exponent must be a number.", node.at, "shape")
        if not base.size.number:
            if base.size.square or base.size.open:
                raise FaultError("A power of this matrix is not read here.", node.at, "shape")
            if base.size.vector:
                raise FaultError(TWO_SQUARES, node.at, "ambiguous")
        return Open(base.size, lambda r, c: Power(base.entry(r, c), exponent.entry(r, c), node.at))

    def reduce(self, node: Reduce) -> Open:
        body = self.open(node.body)
        condition = None if node.condition is None else self.open(node.condition)
        if condition is not None and not condition.size.number:
            raise FaultError("A condition under a sum is one of numbers.", node.at, "shape")
        if not body.size.number and node.kind not in ("sum", "mean"):
            raise FaultError(f"{node.kind} runs over numbers here.", node.at, "shape")
        binders = tuple(self.binder(binder) for binder in node.binders)

        def entry(r: Node, c: Node) -> Node:
            held = None if condition is None else condition.entry(ZERO, ZERO)
            return Reduce(node.kind, binders, held, body.entry(r, c), node.at)

        return Open(body.size, entry)

    def binder(self, binder: Binder) -> Binder:
        low = None if binder.low is None else self.open(binder.low).entry(ZERO, ZERO)
        high = None if binder.high is None else self.open(binder.high).entry(ZERO, ZERO)
        return Binder(binder.letter, low, high, binder.at)

    def call(self, node: Call | Inverse) -> Open:
        if isinstance(node, Inverse):
            function, arguments = "inv", [self.open(node.base)]
        else:
            function, arguments = node.function, [self.open(part) for part in node.arguments]
        first = arguments[0]
        if function == "|":
            function = "det" if first.size.square else "abs"
        if function == "inv" and first.size.number:
            return Open(NUMBER, lambda r, c: Power(first.entry(r, c), Number(-1.0), node.at))
        if function == "e^":
            if not first.size.number:
                raise FaultError("The exponential of an array is exp or expm.", node.at)
            function = "exp"
        if function in ELEMENTWISE and len(arguments) == 1:
            return Open(first.size, lambda r, c: Call(function, (first.entry(r, c),), node.at))
        if function in ("max", "min", "clip") and len(arguments) > 1:
            return self.joined(arguments, lambda nodes: Call(function, tuple(nodes), node.at))
        if function == "^⊙":
            base, exponent = arguments
            return Open(
                base.size, lambda r, c: Power(base.entry(r, c), exponent.entry(r, c), node.at)
            )
        if function in ("inner", "dot", "norm", "sum", "mean"):
            return self.total(function, arguments, node.at)
        if function == "outer":
            return self.times("⊗", arguments[0], arguments[1], node.at)
        if function in _WHOLE:
            return self.function(function, first, node)
        raise FaultError(f"{function} cannot stand among indices.", node.at, "indices")

    def total(self, function: str, arguments: list[Open], at: int | None) -> Open:
        """What all entries give one number of."""
        a, b = arguments[0], arguments[-1]
        size = matrix_sizes.joined(a.size, b.size, "multiplied elementwise")
        if size.open:
            raise FaultError(OPEN, at, "open-size")
        if size.number:
            raise FaultError(f"{function} acts on a whole array.", at, "indices")

        def entry(r: Node, c: Node) -> Node:
            letters: list[Binder] = []
            places: list[Node] = [ZERO, ZERO]
            for k, length in enumerate((size.rows, size.columns)):
                if not (size.number or (length and set(length) == {1})):
                    letters.append(Binder(self.fresh()))
                    places[k] = Letter(letters[-1].letter)
            inside = a.entry(*places)
            if function not in ("sum", "mean"):
                inside = product_of(inside, b.entry(*places), at)
            if not letters:
                found: Node = inside
            else:
                kind = "mean" if function == "mean" else "sum"
                found = Reduce(kind, tuple(letters), None, inside, at)
            return Call("sqrt", (found,), at) if function == "norm" else found

        return Open(NUMBER, entry)

    def function(self, function: str, argument: Open, node: Call | Inverse) -> Open:
        """A function of a whole array, whose entries are worked out first."""
        size = matrix_sizes.of_call(function, [argument.size])
        if argument.size.open:
            raise FaultError(OPEN, node.at, "open-size")
        if argument.size.number and function not in ("inv", "det", "logdet", "tr", "expm"):
            raise FaultError(f"{function} acts on a whole array.", node.at, "indices")
        if argument.size.number:
            inner = argument.entry(ZERO, ZERO)
            return Open(NUMBER, lambda r, c: Call(function, (inner,), node.at))
        letters = [self.fresh()]
        places: list[Node] = [Letter(letters[0]), ZERO]
        if not argument.size.column:
            letters.append(self.fresh())
            places[1] = Letter(letters[1])
        body = argument.entry(*places)
        free = {part.letter for part in walk(body) if isinstance(part, Letter)}
        bound = {part.letter for part in walk(body) if isinstance(part, Binder)}
        if free - bound - set(letters):
            raise FaultError(
                f"{function} of an array that depends on an index is not read here.",
                node.at,
                "indices",
            )
        table = Table(tuple(letters), body, node.at)
        return self.sized(Call(function, (table,), node.at), size)


def _has_letters(node: Node) -> bool:
    return any(isinstance(part, Letter | Element | Reduce) for part in walk(node))
