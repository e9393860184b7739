"""Matrix notation: `dW = \\frac{1}{N} X^\\top (X W - Y)`, read into nodes.

Side by side is the matrix product and binds tighter than ⊙.
"""

from quizzer.notation.functions import ELEMENTWISE, PAIRS, REDUCTIONS, WHOLE
from quizzer.notation.grammar.parser import Parser
from quizzer.notation.lexer.tokens import Token
from quizzer.notation.nodes import (
    Call,
    Group,
    Identity,
    Inverse,
    Name,
    Node,
    Number,
    Ones,
    Power,
    Product,
    Sum,
    Transpose,
)
from quizzer.notation.values import FaultError

_TRANSPOSED = ("T", "⊤")


class MatrixParser(Parser):
    product_signs = frozenset({"*", "·", "@", "/"})

    def term(self) -> Node:
        """Products joined by ⊙ or ⊘."""
        at = self.token.at
        factors: list[tuple[str, Node]] = [("*", self.product())]
        while self.sees("⊙", "⊘", "⊗"):
            sign = self.take().text
            negative = self.signs() < 0
            if negative:
                self.fail("Put brackets round a negative factor: a ⊙ (-b).")
            factor = self.product()
            if sign == "⊗" and any(self.is_product(each) for each in (factors[-1][1], factor)):
                raise FaultError("Put brackets round what ⊗ joins: A (B ⊗ C).", at, "ambiguous")
            if sign == "⊘" and isinstance(factor, Product):
                raise FaultError("Put brackets round what ⊘ divides by.", factor.at, "slash")
            factors.append((sign, factor))
        return factors[0][1] if len(factors) == 1 else Product(tuple(factors), at)

    def is_product(self, node: Node) -> bool:
        """Whether more than one factor of a product is no number."""
        if not isinstance(node, Product):
            return False
        return sum(not self.is_number(factor) for _, factor in node.factors) > 1

    # Atoms

    def atom(self) -> Node:
        node = self.simple_atom()
        node = self.primed(self.dotted(node))
        if self.sees("_"):
            self.fail(
                "Indices belong to index notation: write them on the left side too, or drop them.",
                "indices",
            )
        return node

    def primed(self, node: Node) -> Node:
        """The node with the `'` of a transpose after it."""
        while self.sees("'") and self.token.glued:
            at = self.take().at
            if self.is_number(node):
                raise FaultError(
                    "Is this ' a transpose or a derivative? A transpose is W^T.", at, "prime"
                )
            node = Transpose(node, at)
        return node

    def simple_atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            return self.ones() if self.sees_ones() else self.number()
        if token.kind == "name":
            return self.named()
        if token.kind == "word":
            return self.word()
        if self.sees("["):
            return self.iverson()
        if self.sees("(", "{"):
            node = self.bracketed(self.inside)
            return self.positive_part(node) if self.sees_plus() else node
        if self.sees("⟨"):
            return self.inner_product()
        if self.sees("|", "‖"):
            bar, inner = self.between_bars()
            return Call("norm" if bar == "‖" else "|", (inner,), token.at)
        if self.sees("𝟙", "𝟏"):
            return self.ones()
        if self.sees("∂", "∇"):
            self.fail("A derivative cannot stand on the right here; use the upstream's name.")
        return self.misplaced()

    def named(self) -> Node:
        token = self.take()
        axes = self.names.axes.get(token.text)
        if axes is not None and axes > 2:
            raise FaultError(
                f"{token.text} has {axes} axes: matrix notation has two at most. Use index "
                "notation or NumPy.",
                token.at,
                "axes",
            )
        if token.typed in ("δ", "delta") and self.sees("("):
            self.check_no_kronecker()
        return Name(token.text, token.at)

    def check_no_kronecker(self) -> None:
        """Refuses `δ(a, b)`: it is no product of the upstream and a vector."""
        first, comma, second, close = (self.ahead(k) for k in range(1, 5))
        if comma.text == "," and close.text == ")":
            self.fail(f"Write Kronecker's δ as [{first.text} = {second.text}].", "ambiguous")

    def word(self) -> Node:
        token = self.token
        known = (ELEMENTWISE, WHOLE, REDUCTIONS, PAIRS)
        if any(token.text in functions for functions in known):
            return self.function()
        euler = self.euler()
        if isinstance(euler, Call):
            return Call("e^", euler.arguments, euler.at)
        constant = self.circle_number()
        if constant is not None:
            return constant
        if token.text == "I":
            self.take()
            if self.sees("[") or (self.sees("(") and self.compares_before(")")):
                return self.indicator()
            return self.identity(token)
        raise self.names.unknown(token.typed or token.text, token.at)

    def function(self) -> Node:
        token = self.take()
        if token.text in ELEMENTWISE and self.sees("^") and self.ahead().kind == "number":
            return self.powered(token)
        self.no_prime(token)
        if token.text in REDUCTIONS and self.sees("_"):
            self.fail(f"{token.text} with an index belongs to index notation.", "indices")
        if token.text == "prod":
            raise FaultError("A product needs its index: use index notation.", token.at, "indices")
        if not self.sees("(", "{", "["):
            return Call(token.text, (self.argument_of(token),), token.at)
        opened = self.take()
        bars, self.bars = self.bars, ""
        arguments = [self.nested(self.inside_call)]
        while self.accept(","):
            arguments.append(self.nested(self.inside_call))
        self.expect({"(": ")", "{": "}", "[": "]"}[opened.text], opened)
        self.bars = bars
        wanted = PAIRS.get(token.text, 1)
        if len(arguments) != wanted and token.text not in ("max", "min"):
            count = "one argument" if wanted == 1 else f"{wanted} arguments"
            raise FaultError(f"{token.text} takes {count}.", token.at)
        return Call(token.text, tuple(arguments), token.at)

    def powered(self, function: Token) -> Node:
        """`tanh^2(x)`, each entry's power of what the function gives."""
        at = self.take().at
        exponent = self.number()
        inner = self.bracketed(self.inside_call) if self.sees("(", "{", "[") else None
        called = Call(function.text, (inner or self.argument_of(function),), function.at)
        return Call("^⊙", (called, exponent), at)

    def inside_call(self) -> Node:
        node = self.comparison()
        return self.chosen(node) if self.sees_word("if") else node

    def neighbour(self) -> Node:
        if self.sees_ones() or self.ends_with_ones():
            return Ones(None, self.take().at) if not self.sees_ones() else self.factor()
        return super().neighbour()

    def ends_with_ones(self) -> bool:
        """Whether a plain 1 means the ones, in `X^T 1`."""
        braced = self.tokens[self.place - 1].text == "}"
        mark = self.tokens[self.place - 1 - braced]
        one = self.token.kind == "number" and self.token.text == "1"
        return one and mark.text in _TRANSPOSED and self.ahead().text not in ("/", "_", "[", "(")

    def sees_ones(self) -> bool:
        """Whether a plain 1 means the ones, in `1^T x`, `1 1^T` and `1_N`."""
        ahead = 0
        if self.token.text == "1" == self.ahead().text:
            ahead = 1
        braced = self.ahead(ahead + 2).text == "{"
        mark = self.ahead(ahead + 2 + braced).text
        if self.token.kind != "number" or self.token.text != "1":
            return False
        if self.ahead().text == "_":
            return self.ahead(2).text not in ("[", "(") and not self.compares_below(1)
        return self.ahead(ahead + 1).text == "^" and mark in _TRANSPOSED

    def ones(self) -> Node:
        """A bold 1: a condition's indicator, or the vector of ones."""
        token = self.take()
        conditional = self.sees("[", "{") or (token.text == "𝟙" and self.sees("("))
        if conditional or (self.sees("_") and self.compares_below(0)):
            return self.indicator()
        size = self.size()
        match size:
            case Product(((_, rows), ("*", columns))):
                whole = Product((("*", Ones(rows)), (" ", Transpose(Ones(columns)))), token.at)
                return Group(whole, token.at)
        return Ones(size, token.at)

    def compares_below(self, ahead: int) -> bool:
        """Whether a comparison stands in the brackets behind the `_` that is so far ahead."""
        close = {"{": "}", "[": "]", "(": ")"}.get(self.ahead(ahead + 1).text)
        return close is not None and self.compares_before(close, ahead + 2)

    def compares_before(self, close: str, ahead: int = 1) -> bool:
        """Whether a comparison stands in the brackets that come."""
        while self.ahead(ahead).kind != "end" and self.ahead(ahead).text != close:
            if self.ahead(ahead).text in ("==", "!=", "<", ">", "<=", ">="):
                return True
            ahead += 1
        return False

    def identity(self, token: Token) -> Identity:
        """`I`, `I_n` or `I_{n × n}`."""
        size = self.size()
        match size:
            case Product((("*", Name(rows)), ("*", Name(columns)))) if rows == columns:
                size = Name(rows, token.at)
        return Identity(size, token.at)

    def size(self) -> Node | None:
        """The size in `I_n` or `1_{N}`; a letter that is not known says nothing."""
        if not self.accept("_"):
            return None
        if not self.sees("{"):
            return self.number() if self.token.kind == "number" else self.size_name()
        opened = self.take()
        unknown = self.token.kind == "word" and self.ahead().text == "}"
        node = self.size_name() if unknown else self.nested(self.sum)
        self.expect("}", opened)
        return node

    def size_name(self) -> Node | None:
        token = self.take()
        if token.kind == "name":
            return Name(token.text, token.at)
        if token.kind == "word" and len(token.text) == 1:
            return None
        raise self.names.unknown(token.text, token.at)

    # Powers

    def raised(self, base: Node, at: int | None) -> Node:
        """`^T` is always the transpose; `^{-1}` and whole numbers are matrix powers."""
        if self.sees("{") and self.ahead().text == "⊙":
            self.place += 2
            exponent = self.nested(self.sum)
            self.expect("}")
            return Call("^⊙", (base, exponent), at)
        if self.pseudo_inverse():
            return Call("pinv", (base,), at)
        braced = self.ahead(0).text == "{"
        start = 1 if braced else 0
        sign = self.ahead(start).text == "-"
        mark = self.ahead(start + sign)
        transposed = mark.text in _TRANSPOSED or mark.typed in _TRANSPOSED
        if transposed and isinstance(base, Number):
            self.fail("A number has no transpose; as an exponent, write T in brackets.")
        if transposed and self.names.find("T") and self.is_number(base):
            self.fail("Is this T a transpose? For the power, write (T).", "ambiguous")
        if transposed and (not braced or self.ahead(start + sign + 1).text == "}"):
            self.place += start + sign + 1 + braced
            return Transpose(Inverse(base, at) if sign else base, at)
        if (mark.typed in ("t", "H", "'") and mark.kind == "word") or mark.text in ("t", "H"):
            self.fail("The transpose is written ^T.")
        exponent = self.exponent()
        if _is_minus_one(exponent):
            return Inverse(base, at)
        return Power(base, exponent, at)

    def pseudo_inverse(self) -> bool:
        """Takes the `^+` of Moore and Penrose's inverse, if it is one."""
        if self.sees("{") and self.ahead().text == "+" and self.ahead(2).text == "}":
            self.place += 3
            return True
        if self.sees("+") and not (self.ahead().glued or self.ahead().kind == "end"):
            self.take()
            return True
        return False

    def exponent_atom(self) -> Node:
        if self.sees("*"):
            self.fail("The transpose is written ^T.")
        return self.simple_atom()

    def factor(self) -> Node:
        return self.dotted(super().factor())

    def dotted(self, node: Node) -> Node:
        """The node with the `.T` after it."""
        while self.sees(".") and self.ahead().text == "T":
            self.take()
            at = self.take().at
            node = node.base if isinstance(node, Transpose) else Transpose(node, at)
        return node


def _is_minus_one(node: Node) -> bool:
    match node:
        case Group(inner):
            return _is_minus_one(inner)
        case Sum(terms=((-1, Number(value)),)):
            return value == 1
        case _:
            return False
