"""What the signs of a matrix formula mean: `x * y`, `x · y`, `h^2`, `e^S` by the sizes beside them.

Nothing is chosen because it is right: only the card's shapes and the asked one are looked at.
"""

from collections.abc import Mapping
from itertools import product

from quizzer.notation import matrix_sizes
from quizzer.notation.compiler.operands import (
    STAR,
    TWO_BARS,
    TWO_STARS,
    check_grouping,
    combined,
    multiplies,
    with_lengths,
    with_operands,
)
from quizzer.notation.matrix_sizes import ANY, NUMBER, UNKNOWN, Length, Size
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
    show,
    walk,
    without_brackets,
)
from quizzer.notation.values import FaultError

_DOTS = frozenset({"*", "·"})
_ENTRYWISE = frozenset({"⊙", "⊘"})
TWO_DOTS = (
    "Is this · the elementwise or the inner product? Write ⊙ for the elementwise one, x^T u for "
    "the inner one."
)
TWO_SQUARES = (
    "Is this the square of each entry or of the length? Write x ⊙ x for the squares, x^T x for "
    "the squared length."
)
TWO_EXPONENTIALS = (
    "Is this the matrix exponential? Write expm(A) for that, exp(A) ⊙ (1 1^T) for the exponential "
    "of each entry."
)


def meant(
    node: Node,
    names: Mapping[str, Size],
    values: Mapping[str, Length],
    asked: tuple[Length, ...] | None,
) -> tuple[tuple[tuple[Node, Size], ...], str]:
    """The formula with every sign made definite, and its size, once for each meaning that it has;
    with what to ask where there are several. Raises FaultError if there is none.

    A dot and a square of vectors have two meanings each, and so has a division by `|v|`. The one
    that fits the asked shape is taken; where both do, an elementwise sign elsewhere in the formula
    decides that a dot is not elementwise and a square is.
    """
    found: dict[tuple[bool, bool, bool], tuple[Node, Size]] = {}
    fault: FaultError | None = None
    used: set[str] = set()
    for mode in product((False, True), (False, True), (False, True)):
        sizer = _Sizer(names, values, *mode)
        try:
            found[mode] = sizer.size(node)
        except FaultError as error:
            fault = fault or error
        used |= sizer.used
        if not used:
            break
    if "^" in used and not any(squares for _, squares, _ in found):
        raise fault or FaultError(TWO_SQUARES, node.at, "ambiguous")
    for _, size in found.values():
        matrix_sizes.must_close(size, asked)
    fitting = {mode: each for mode, each in found.items() if matrix_sizes.fits(each[1], asked)}
    readings = fitting or found
    if not readings:
        assert fault is not None
        raise fault
    signs = {sign for part in walk(node) if isinstance(part, Product) for sign, _ in part.factors}
    if signs & _ENTRYWISE and "|" not in used and (False, True, False) in fitting:
        return (fitting[False, True, False],), ""
    different = {show(each[0]): each for each in readings.values()}
    question = TWO_BARS if "|" in used else TWO_DOTS if "·" in used else TWO_SQUARES
    return tuple(different.values()), question


def the_meaning(
    node: Node, names: Mapping[str, Size], values: Mapping[str, Length]
) -> tuple[Node, Size]:
    """The only meaning of a part of a formula. Raises FaultError where it has several."""
    (found, *others), question = meant(node, names, values, None)
    if others:
        raise FaultError(question, node.at, "ambiguous")
    return found


class _Sizer:
    """Works out the sizes with one meaning for the dots of vectors and one for their squares."""

    def __init__(
        self,
        names: Mapping[str, Size],
        values: Mapping[str, Length],
        dots: bool,
        squares: bool,
        lengths: bool,
    ) -> None:
        self.names = names
        self.values = values
        self.dots = dots
        """Whether a dot between vectors is elementwise."""
        self.squares = squares
        """Whether the square of a vector is elementwise."""
        self.lengths = lengths
        """Whether a division by `|v|` is one by the length."""
        self.used: set[str] = set()
        self.inner = 0
        """How many dots were inner products."""
        self.diagonals = 0
        """How many `diag(…)` are around: in one, vectors side by side are multiplied by entries."""
        self.entries: list[Node] = []
        """Factors of elementwise products: an exponential there is that of each entry."""

    def size(self, node: Node) -> tuple[Node, Size]:
        """The definite node and its size. A FaultError gets the node's place if it has none."""
        try:
            return self.sized(node)
        except FaultError as fault:
            raise fault.placed(node.at) from None

    def sized(self, node: Node) -> tuple[Node, Size]:
        match node:
            case Number():
                return node, NUMBER
            case Name(name):
                return node, self.names.get(name, UNKNOWN)
            case Group(inner, at):
                found, size = self.size(inner)
                return Group(found, at), size
            case Identity(length):
                if length is None:
                    return node, Size(identity=True)
                side = self.length(length)
                return node, matrix_sizes.settled(Size(side, side, equal=True))
            case Ones(length):
                rows = None if length is None else self.length(length)
                return node, matrix_sizes.settled(Size(rows, self.ones()))
            case Transpose(base, at):
                found, size = self.size(base)
                return Transpose(found, at), matrix_sizes.transposed(size)
            case Inverse(base, at):
                found, size = self.size(base)
                if not size.identity:
                    matrix_sizes.must_be_square(size, "An inverse")
                return Inverse(found, at), size
            case Power():
                return self.power(node)
            case Sum(terms, at):
                return self.sum(terms, at)
            case Product():
                return self.product(node)
            case Call():
                return self.call(node)
            case Compare(first, rest, at):
                return self.compare(first, rest, at)
            case Logic(word, parts, at):
                sized = [self.size(part) for part in parts]
                return Logic(word, tuple(n for n, _ in sized), at), self.all(sized, "combined")
            case Choice(yes, test, no, at):
                sized = [self.size(part) for part in (test, yes, no)]
                test, yes, no = (n for n, _ in sized)
                return Choice(yes, test, no, at), self.all(sized, "combined")
            case Vector(entries, at):
                return self.vector(entries, at)
            case _:
                raise FaultError("This belongs to index notation.", node.at, "indices")

    def length(self, node: Node) -> Length:
        """The length that is written below an I or a 1."""
        return self.values.get(node.name, ANY) if isinstance(node, Name) else ANY

    def ones(self) -> Length:
        known = next((s.rows for s in self.names.values() if s.rows), (1,))
        return (1,) * len(known)

    def all(self, sized: list[tuple[Node, Size]], verb: str) -> Size:
        size = sized[0][1]
        for _, other in sized[1:]:
            size = matrix_sizes.entrywise(size, other, verb)
        return size

    def compare(
        self, first: Node, rest: tuple[tuple[str, Node], ...], at: int | None
    ) -> tuple[Node, Size]:
        sized = [self.size(first), *(self.size(part) for _, part in rest)]
        signs = [sign for sign, _ in rest]
        parts = tuple(zip(signs, (n for n, _ in sized[1:]), strict=True))
        return Compare(sized[0][0], parts, at), self.all(sized, "compared")

    def vector(self, entries: tuple[Node, ...], at: int | None) -> tuple[Node, Size]:
        sized = [self.size(entry) for entry in entries]
        rows = [entry for entry, _ in sized if isinstance(entry, Vector)]
        count = len(self.ones())
        length = (len(entries),) * count
        if rows:
            widths = {len(row.entries) for row in rows}
            if len(rows) != len(entries) or len(widths) != 1:
                raise FaultError("The rows of a matrix have one length.", at, "shape")
            return Vector(tuple(n for n, _ in sized), at), Size(length, (widths.pop(),) * count)
        if not all(size.number for _, size in sized):
            raise FaultError("The entries of a vector are numbers here.", at, "shape")
        return Vector(tuple(n for n, _ in sized), at), Size(length, (1,) * count)

    def sum(self, terms: tuple[tuple[int, Node], ...], at: int | None) -> tuple[Node, Size]:
        found, total = [], NUMBER
        sized = [self.size(term) for _, term in terms]
        table = any(not (s.number or s.open or s.vector or s == UNKNOWN) for _, s in sized)
        for number, (sign, term) in enumerate(terms):
            node, size = sized[number]
            if table and isinstance(without_brackets(node), Ones) and size.open:
                node = Group(Product((("*", node), (" ", Transpose(node))), node.at), node.at)
                size = Size()
            try:
                total = matrix_sizes.added(total, size) if number else size
            except FaultError as fault:
                raise FaultError(fault.message, fault.at or term.at, fault.code) from None
            found.append((sign, node))
        return Sum(tuple(found), at), total

    def power(self, node: Power) -> tuple[Node, Size]:
        base, size = self.size(node.base)
        exponent, exponent_size = self.size(node.exponent)
        if not exponent_size.number:
            raise FaultError("An exponent must be a number.", node.at, "shape")
        if size.number or size.identity or size.equal or size == UNKNOWN:
            return Power(base, exponent, node.at), size
        if size.open or size.square:
            matrix_sizes.must_be_square(size, "A power")
            return Power(base, exponent, node.at), size
        value = exponent
        while isinstance(value, Group):
            value = value.inner
        two = isinstance(value, Number) and value.value == 2
        if isinstance(value, Number) and value.value == 1:
            return base, size
        if size.vector and two:
            self.used.add("^")
            if not self.squares:
                pair = (base, Transpose(base, node.at))
                left, right = pair[::-1] if size.column else pair
                return Product((("*", left), (" ", right)), node.at), NUMBER
        if two:
            return Product((("*", base), ("⊙", base)), node.at), size
        return Call("^⊙", (base, exponent), node.at), size

    def call(self, node: Call) -> tuple[Node, Size]:
        function = node.function
        self.diagonals += function == "diag"
        sized = [self.size(argument) for argument in node.arguments]
        self.diagonals -= function == "diag"
        if function == "exp" and sized[0][1].square and node not in self.entries:
            raise FaultError(TWO_EXPONENTIALS, node.at, "ambiguous")
        if function == "e^":
            function = "expm" if sized[0][1].square else "exp"
        if function == "|":
            function = "det" if sized[0][1].square else "abs"
        if function == "diag" and sized[0][1].number:
            raise FaultError("diag needs a vector or a matrix.", node.at, "shape")
        size = matrix_sizes.of_call(function, [size for _, size in sized])
        return Call(function, tuple(n for n, _ in sized), node.at), size

    # Products

    def product(self, node: Product) -> tuple[Node, Size]:
        """Factors side by side belong together before the dots and stars between them."""
        if any(sign in _ENTRYWISE or sign == "⊗" for sign, _ in node.factors[1:]):
            return self.entrywise(node)
        runs: list[tuple[str, list[tuple[str, Node]]]] = [("*", [node.factors[0]])]
        for sign, factor in node.factors[1:]:
            if sign in _DOTS:
                runs.append((sign, []))
            runs[-1][1].append(("*" if sign in _DOTS else sign, factor))
        parts = [(sign, run, self.run(run, node.at)) for sign, run in runs]
        whole, size = parts[0][2]
        arrays = sum(not part_size.number for _, _, (_, part_size) in parts)
        for place, (sign, run, (part, part_size)) in enumerate(parts[1:], 1):
            try:
                means, size = self.dotted(sign, size, part_size, arrays > 2)
            except FaultError as fault:
                before = [factor for _, each, _ in parts[:place] for factor in each]
                message = with_operands(fault, tuple(before), part, sign)
                at = fault.at or run[0][1].at
                raise FaultError(message, at, fault.code) from None
            whole = Product((("*", whole), (means, part)), node.at)
        return whole, size

    def run(self, factors: list[tuple[str, Node]], at: int | None) -> tuple[Node, Size]:
        """Factors side by side, and divisions, from left to right."""
        node, size = self.size(factors[0][1])
        found = [("*", node)]
        for place, (sign, factor) in enumerate(factors[1:], 1):
            part, part_size = self.divisor(factor) if sign == "/" else self.size(factor)
            if self.diagonals and sign == " " and multiplies(found, factor, size, part_size):
                whole = found[0][1] if len(found) == 1 else Group(Product(tuple(found), at), at)
                found = [("*", Group(Product((("*", whole), ("⊙", part)), at), at))]
                continue
            found.append((sign, part))
            try:
                joined = matrix_sizes.divided if sign == "/" else matrix_sizes.times
                size = joined(size, part_size)
            except FaultError as fault:
                message = with_operands(fault, tuple(factors[:place]), factor, sign)
                raise FaultError(message, fault.at or factor.at, fault.code) from None
        return found[0][1] if len(found) == 1 else Product(tuple(found), at), size

    def divisor(self, node: Node) -> tuple[Node, Size]:
        """What is divided by: the bars of a vector there may be its length."""
        barred = with_lengths(node, lambda inner: self.size(inner)[1].vector)
        if barred is not None:
            self.used.add("|")
        return self.size(node if barred is None or not self.lengths else barred)

    def dotted(self, sign: str, a: Size, b: Size, chain: bool) -> tuple[str, Size]:
        """What a dot or star between two things means, and the size of what it gives."""
        if a.number or b.number:
            return sign, matrix_sizes.times(a, b)
        same = not (a.open or b.open) and (a.rows, a.columns) == (b.rows, b.columns)
        if same and a.square:
            raise FaultError(TWO_STARS, code="ambiguous")
        if same and a.vector and sign == "·":
            self.used.add("·")
            if not self.dots and not a.column:
                raise FaultError(f"{a.shown()} times {b.shown()} is no matrix product.", None)
            if not self.dots and chain:
                raise FaultError(TWO_DOTS, code="ambiguous")
            self.inner += not self.dots
            return ("⊙", a) if self.dots else ("·", NUMBER)
        if same:
            return "⊙", a
        if sign == "*":
            raise FaultError(STAR, code="star")
        return " ", matrix_sizes.times(a, b)

    def entrywise(self, node: Product) -> tuple[Node, Size]:
        found: list[tuple[str, Node]] = []
        size = NUMBER
        before: list[Size] = []
        for place, (sign, factor) in enumerate(node.factors):
            self.entries.append(factor)
            inner = self.inner
            part, part_size = self.size(factor)
            if part_size.number and self.inner > inner:
                raise FaultError(TWO_DOTS, factor.at, "ambiguous")  # no ⊙ beside a number
            inside = self.factor_sizes(part)
            found.append((sign, part))
            if place:
                try:
                    if sign != "⊗":
                        self.check_factor(node.factors[place - 1][1], factor)
                        check_grouping(before, inside)
                    size = combined(sign, size, part_size)
                except FaultError as fault:
                    message = with_operands(fault, node.factors[:place], factor, sign)
                    raise FaultError(message, fault.at or factor.at, fault.code) from None
            else:
                size = part_size
            before = inside
        return Product(tuple(found), node.at), size

    def check_factor(self, left: Node, right: Node) -> None:
        """Refuses `e^A ⊙ B` of a square A, where each entry's exponential may be meant."""
        for factor in (left, right):
            match factor:
                case Call("e^", (argument,), at) if self.size(argument)[1].square:
                    raise FaultError(TWO_EXPONENTIALS, at, "ambiguous")

    def factor_sizes(self, node: Node) -> list[Size]:
        """The sizes of the matrices that a node is a product of without brackets."""
        if isinstance(node, Product) and all(sign not in _ENTRYWISE for sign, _ in node.factors):
            return [
                self.size(factor)[1]
                for sign, factor in node.factors
                if sign != "/" or not isinstance(without_brackets(factor), Call)
            ]
        return [self.size(node)[1]]
