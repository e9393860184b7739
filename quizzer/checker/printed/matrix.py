"""A formula in matrix notation → NumPy. A vector, row or column, has one axis."""

from msgspec.structs import replace

from quizzer.checker.printed.body import Extent
from quizzer.checker.printed.functions import ELEMENTWISE, WHOLE
from quizzer.checker.printed.parts import Part, PartPrinter, axes_of, is_one
from quizzer.checker.printed.values import (
    ADDITION,
    BIT_AND,
    BIT_OR,
    COMPARISON,
    MINUS,
    PRODUCT,
    CannotPrint,
    Text,
    literal,
    number,
    power,
)
from quizzer.notation import matrix_sizes
from quizzer.notation.matrix_sizes import NUMBER, Size
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


class MatrixPrinter(PartPrinter):
    """Prints formulas of whole arrays."""

    def formula(self, node: Node) -> tuple[str, tuple[Extent, ...]]:
        """The source of a formula, and the axes of its value."""
        text, extents = self.value(node)
        return number(text).source, extents

    def value(self, node: Node) -> tuple[Text, tuple[Extent, ...]]:
        part = self.part(node)
        if part.size.open or part.size.identity:
            raise CannotPrint("the size of I or of the ones is open")
        if part.size.number:
            return self.closed(part), ()
        lengths = [
            each for each in (part.size.rows, part.size.columns) if each and not is_one(each)
        ]
        return self.closed(part), tuple(Extent(self.length(each), each) for each in lengths)

    def part(self, node: Node) -> Part:
        match node:
            case Number(value):
                return Part(NUMBER, Text(literal(value)))
            case Name(name):
                extents = self.body.arrays[name]
                size = matrix_sizes.of_shape([each.lengths for each in extents])
                return Part(size, Text(name))
            case Group(inner):
                return self.part(inner)
            case Identity(size):
                if size is None:
                    return Part(Size(identity=True), None, Text("1.0"))
                length = self.given(size)
                made = Text(f"np.eye({self.part(size).text.source})")  # type: ignore[union-attr]
                return Part(Size(length, length, equal=True), made)
            case Ones(size):
                if size is None:
                    return Part(Size(None, self.one()), Text("1.0"))
                made = Text(f"np.ones({self.closed(self.part(size)).source})")
                return Part(Size(self.given(size), self.one()), made)
            case Transpose(base):
                return self.transpose(self.part(base))
            case Inverse(base):
                return self.inverse(self.part(base))
            case Power(base, exponent):
                return self.power(base, exponent)
            case Sum(terms):
                return self.sum(terms)
            case Product(factors):
                total = self.part(factors[0][1])
                for sign, factor in factors[1:]:
                    total = self.times(sign, total, self.part(factor))
                return total
            case Call(function, arguments):
                return self.call(function, [self.part(argument) for argument in arguments])
            case Compare(first, rest):
                return self.compare(first, rest)
            case Logic(word, nodes):
                sign, binds = ("&", BIT_AND) if word == "and" else ("|", BIT_OR)
                found = self.truth(self.part(nodes[0]))
                for each in nodes[1:]:
                    found = self.joined(sign, binds, found, self.truth(self.part(each)))
                return found
            case Choice(yes, test, no):
                parts = [self.truth(self.part(test)), self.part(yes), self.part(no)]
                return self.function("np.where", parts)
            case Vector(entries):
                return self.vector(entries)
            case _:
                raise CannotPrint("index notation stands within a matrix formula")

    def compare(self, first: Node, rest: tuple[tuple[str, Node], ...]) -> Part:
        found, left = None, self.part(first)
        for sign, node in rest:
            right = self.part(node)
            size, (a, b) = self.together([left, right])
            source = f"{number(a).within(BIT_OR)} {sign} {number(b).within(BIT_OR)}"
            link = Part(size, Text(source, COMPARISON, truth=True))
            found = link if found is None else self.joined("&", BIT_AND, found, link)
            left = right
        assert found is not None
        return found

    def sum(self, terms: tuple[tuple[int, Node], ...]) -> Part:
        total = self.part(terms[0][1])
        if terms[0][0] < 0:
            total = self.negative(total)
        for sign, term in terms[1:]:
            other = self.part(term)
            size = matrix_sizes.added(total.size, other.size)
            if size.identity and size.open:
                total = self.identities(total, other, sign)
            else:
                total = self.joined("+" if sign > 0 else "-", ADDITION, total, other)
        return total

    # Products

    def times(self, sign: str, a: Part, b: Part) -> Part:
        if sign == "⊙":
            return self.joined("*", PRODUCT, a, b)
        if sign == "⊘":
            return self.joined("/", PRODUCT, a, b)
        if sign == "⊗":
            return self.kronecker(a, b)
        if sign == "/":
            return self.scaled(a, b, "/") if b.size.number else self.joined("/", PRODUCT, a, b)
        columns = a.size.column and b.size.column
        if sign == "·" and columns and a.size.rows == b.size.rows:
            return self.inner(a, b)
        if a.size.number:
            return self.scaled(b, a, "*", before=True)
        if b.size.number:
            return self.scaled(a, b, "*")
        if a.identity is not None or b.identity is not None:
            return self.by_identity(a, b)
        return self.product(a, b)

    def by_identity(self, a: Part, b: Part) -> Part:
        mixed, plain = (a, b) if a.identity is not None else (b, a)
        if mixed.text is not None or plain.identity is not None:
            length = a.size.columns or b.size.rows
            if length is None:
                raise CannotPrint("the size of I is open")
            sides = [self.sized(each, length) if each.identity else each for each in (a, b)]
            return self.product(sides[0], sides[1])
        assert mixed.identity is not None
        if mixed.identity.source == "1.0":
            return plain
        return self.scaled(plain, Part(NUMBER, mixed.identity), "*", before=mixed is a)

    def product(self, a: Part, b: Part) -> Part:
        size = matrix_sizes.times(a.size, b.size)
        left, right = number(self.closed(a)), number(self.closed(b))
        if a.size.columns is None or b.size.rows is None:
            kept, part, axis = (right, b, 0) if a.size.columns is None else (left, a, 1)
            length = part.size.rows if axis == 0 else part.size.columns
            summed = self.summed(kept, part, axis, length)
            other, rest = (left, a) if axis == 0 else (right, b)
            if other.source == "1.0":
                return Part(size, summed)
            if rest.axes == 2 and axis == 0 and axes_of(size) == 2:
                return Part(
                    size, Text(f"{other.within(PRODUCT)} * {summed.within(MINUS)}", PRODUCT)
                )
            if rest.axes == 0 or axes_of(size) == 0:
                return Part(
                    size, Text(f"{other.within(PRODUCT)} * {summed.within(MINUS)}", PRODUCT)
                )
            raise CannotPrint("a product of ones and a matrix has an open size")
        if a.size.column and not is_one(b.size.columns or ()):
            return Part(size, Text(f"np.outer({left.source}, {right.source})"))
        if a.axes == 0 or b.axes == 0:
            return self.joined("*", PRODUCT, a, b)
        source = f"{left.within(PRODUCT)} @ {right.within(PRODUCT + 0.1)}"
        return Part(size, Text(source, PRODUCT))

    def inner(self, a: Part, b: Part) -> Part:
        size, (left, right) = self.together([a, b])
        name = "np.dot" if axes_of(size) == 1 else "np.vdot"
        left, right = number(left), number(right)
        if a.size.number != b.size.number or a.axes != b.axes or not a.axes:
            product = f"{left.within(PRODUCT)} * {right.within(MINUS)}"
            return Part(NUMBER, Text(f"np.sum({product})"))
        return Part(NUMBER, Text(f"{name}({left.source}, {right.source})"))

    def kronecker(self, a: Part, b: Part) -> Part:
        if a.size.number or b.size.number:
            return self.times("*", a, b)
        if a.size.column and b.size.column:
            return self.product(a, self.transpose(b))
        size = matrix_sizes.kronecker(a.size, b.size)
        left, right = (self.two_axes(each) for each in (a, b))
        found = Text(f"np.kron({left.source}, {right.source})")
        return Part(size, Text(f"{found.source}.ravel()") if axes_of(size) == 1 else found)

    def power(self, base: Node, exponent: Node) -> Part:
        raised, above = self.part(base), self.part(exponent)
        left, right = number(self.closed(raised)), number(self.closed(above))
        if raised.size.number:
            return Part(NUMBER, power(left, right))
        return replace(
            raised,
            text=Text(f"np.linalg.matrix_power({left.source}, {right.source})"),
            identity=None,
        )

    def vector(self, entries: tuple[Node, ...]) -> Part:
        count = len(self.one())
        if isinstance(entries[0], Vector):
            rows = [row.entries for row in entries if isinstance(row, Vector)]
            shown = ", ".join(f"[{self.entries(row)}]" for row in rows)
            size = Size((len(rows),) * count, (len(rows[0]),) * count)
        else:
            shown = self.entries(entries)
            size = Size((len(entries),) * count, (1,) * count)
        made = Text(f"np.array([{shown}])")
        if axes_of(size) < (2 if isinstance(entries[0], Vector) else 1):
            raise CannotPrint("a vector has one entry only")
        return Part(size, made)

    def entries(self, entries: tuple[Node, ...]) -> str:
        return ", ".join(number(self.closed(self.part(entry))).source for entry in entries)

    # Functions

    def call(self, function: str, parts: list[Part]) -> Part:
        part = parts[0]
        if function == "^⊙":
            left, right = (number(self.closed(each)) for each in parts)
            return replace(part, text=power(left, right))
        if function in ("inner", "dot"):
            return self.inner(*parts)
        if function == "outer":
            return self.product(part, self.transpose(parts[1]))
        if function == "kron":
            return self.kronecker(*parts)
        if function == "clip":
            return self.function("np.clip", parts)
        if len(parts) > 1:
            for other in parts[1:]:
                part = self.function(f"np.{function}imum", [part, other])
            return part
        size = matrix_sizes.of_call(function, [part.size])
        source = number(self.closed(part)).source
        if function in ELEMENTWISE:
            return replace(part, text=Text(f"{ELEMENTWISE[function]}({source})"))
        if function == "inv":
            return self.inverse(part)
        if part.size.number:
            return self.of_number(function, part, source)
        if function == "rowsum":
            along = ", axis=1" if part.axes == 2 else ""
            return Part(size, Text(f"np.sum({source}{along})"))
        if function == "norm":
            squares = power(number(self.closed(part)), Text("2"))
            return Part(NUMBER, Text(f"np.sqrt(np.sum({squares.source}))"))
        if function == "softmax" and part.size.column and part.axes == 2:
            raise CannotPrint("softmax of a column of open size")
        if function == "diag" and part.axes == 2 and not part.size.square:
            raise CannotPrint("diag of a matrix that is not square")
        name = WHOLE.get(function)
        if name is None:
            raise CannotPrint(f"{function} has no NumPy source here")
        return Part(size, Text(f"{name}({source})"))

    def of_number(self, function: str, part: Part, source: str) -> Part:
        """A function of matrices, of a number."""
        names = {"expm": "np.exp", "logdet": "np.log", "chol": "np.sqrt", "norm": "np.abs"}
        if function in names:
            return Part(NUMBER, Text(f"{names[function]}({source})"))
        if function == "softmax":
            return Part(NUMBER, Text("1.0"))
        return part
