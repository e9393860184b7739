"""What index and matrix notation have in common: sums, products, powers, comparisons, brackets.

From loose to tight: `A if C else B`, or, and, comparison, sum, product, minus sign, power.
"""

from collections.abc import Callable

from quizzer.notation.grammar.brackets import COMPARISONS, Brackets
from quizzer.notation.lexer.fractions import SLASH
from quizzer.notation.nodes import (
    Choice,
    Compare,
    Group,
    Letter,
    Logic,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Vector,
)
from quizzer.notation.values import FaultError

DECIMALS = (
    "Decimals are written with a point, 1.5; the entries of a vector have a space between them, "
    "(1, 5)."
)
_DIVISIONS = frozenset({"⊘", "//", "%"})


def is_condition(node: Node) -> bool:
    """Whether the node holds or does not, and is no number."""
    match node:
        case Compare() | Logic():
            return True
        case Group(inner):
            return is_condition(inner)
        case Product(factors):
            return all(is_condition(factor) for _, factor in factors)
        case _:
            return False


def _opened(node: Node) -> Node:
    while isinstance(node, Group):
        node = node.inner
    return node


class Parser(Brackets):
    """A recursive-descent parser over tokens. Subclasses say what an atom is."""

    def whole(self) -> Node:
        """The whole line."""
        if self.token.kind == "end":
            self.fail("Nothing is written here.", "unfinished")
        node = self.choice()
        if self.token.kind != "end":
            if self.sees(*COMPARISONS) or self.sees("=="):
                self.fail("A comparison needs square brackets round it: [i = j].")
            if self.sees(","):
                self.fail("A comma ends nothing here: leave a remark out, and a second answer.")
            if self.sees(")", "]", "}"):
                self.fail(f"This {self.token.text} closes no bracket.")
            self.misplaced()
        return node

    def choice(self) -> Node:
        node = self.sum()
        self.accept_comma_before("if")
        return self.chosen(node) if self.sees_word("if") else node

    def accept_comma_before(self, word: str) -> None:
        """The comma of `a, if c, else b`."""
        if self.sees(",") and self.ahead().kind == "word" and self.ahead().text == word:
            self.take()

    def chosen(self, node: Node) -> Node:
        at = self.take().at
        test = self.must_hold(self.tested(self.condition))
        self.accept_comma_before("else")
        if self.accept(","):
            if self.sees_word("and"):
                self.take()
            other = self.nested(self.sum)
            if not self.sees_word("otherwise"):
                self.fail("An `if` needs its `else`: a if condition else b.")
            self.take()
            return Choice(node, test, other, at)
        if not self.sees_word("else"):
            self.fail("An `if` needs its `else`: a if condition else b.")
        self.take()
        return Choice(node, test, self.nested(self.choice), at)

    def inside(self) -> Node:
        """What may stand in round brackets: anything, a condition too; with commas, a vector."""
        at, start = self.token.at, self.place
        node = self.condition()
        if is_condition(node) and self.sees(","):
            node = self.all_of(node, at)
        equals = self.equals_between(start, self.place)
        if equals and is_condition(node) and not self.testing:
            raise FaultError(
                "Is this a condition or a remark? Put a condition in square brackets, [i = j], "
                "and leave a remark out.",
                at,
                "ambiguous",
            )
        node = self.chosen(node) if self.sees_word("if") else node
        if not self.sees(","):
            return node
        entries = [node]
        while self.accept(","):
            entries.append(self.nested(self.choice))
        self.check_decimals(entries)
        return Vector(tuple(entries), at)

    def all_of(self, node: Node, at: int | None) -> Node:
        """The conditions with commas between them that begin with this one."""
        held = [node]
        while self.accept(","):
            held.append(self.must_hold(self.condition()))
            if _share_bounds(held[-2], held[-1]):
                raise FaultError(
                    "Write the bounds of each index: [1 <= i <= N, 1 <= j <= M].", at, "ambiguous"
                )
        return Logic("and", tuple(held), at)

    def equals_between(self, start: int, stop: int) -> bool:
        """Whether an equals sign stands there outside of square brackets and of indices."""
        depth = 0
        for token in self.tokens[start:stop]:
            depth += (token.text in ("[", "{")) - (token.text in ("]", "}"))
            if token.typed == "=" and not depth:
                return True
        return False

    testing = 0
    """How many conditions are open: in them, round brackets may hold an equation."""

    def tested(self, read: Callable[[], Node]) -> Node:
        self.testing += 1
        node = read()
        self.testing -= 1
        return node

    def check_decimals(self, entries: list[Node]) -> None:
        """Refuses `(1,5)` where no two numbers are asked for: it may be a decimal comma."""
        if not all(isinstance(entry, Number) for entry in entries):
            return
        last = self.place - 2 * len(entries) + 1
        glued = sum(self.tokens[place].glued for place in range(last, self.place)[2::2])
        pair = len(entries) == 2 and not self.names.asks_for_two()
        if glued and (pair or glued < len(entries) - 1):
            self.fail(DECIMALS, "ambiguous")

    def condition(self, commas: bool = False) -> Node:
        """Comparisons joined by `and`, then by `or`; or one plain expression.

        With `commas`, as in square brackets, a comma means `and`.
        """
        either = [self.conjunction(commas)]
        while self.sees_word("or"):
            self.take()
            either.append(self.conjunction(commas))
        if len(either) == 1:
            return either[0]
        return Logic("or", tuple(map(self.must_hold, either)), None)

    def conjunction(self, commas: bool) -> Node:
        parts = [self.comparison()]
        while (commas and self.sees(",")) or self.sees_word("and"):
            self.take()
            parts.append(self.comparison())
        return parts[0] if len(parts) == 1 else Logic("and", tuple(map(self.must_hold, parts)))

    def must_hold(self, node: Node) -> Node:
        """The node, which has to be a condition: no number counts as true here."""
        if not is_condition(node):
            raise FaultError(
                "A condition compares: [i = j], x > 0 and y > 0.", node.at or self.token.at
            )
        return node

    def comparison(self) -> Node:
        first = self.sum()
        rest: list[tuple[str, Node]] = []
        at = self.token.at
        while self.sees(*COMPARISONS):
            sign = self.take().text
            best = self.best(first) if sign == "==" and not rest else None
            if best is not None:
                return best
            rest.append((sign, self.sum()))
        if not rest:
            return first
        if any(isinstance(_opened(node), Vector) for node in (first, *(n for _, n in rest))):
            return self.entrywise(first, rest, at)
        return Compare(first, tuple(rest), at)

    def best(self, first: Node) -> Node | None:
        """What `first = argmax_…` says, where an `arg` follows."""
        return None

    def entrywise(self, first: Node, rest: list[tuple[str, Node]], at: int | None) -> Node:
        """`(m, n) = (i, j)`: both pairs are equal."""
        match _opened(first), [(sign, _opened(node)) for sign, node in rest]:
            case Vector(left), [("==", Vector(right))] if len(left) == len(right):
                pairs = zip(left, right, strict=True)
                return Logic("and", tuple(Compare(a, (("==", b),), at) for a, b in pairs), at)
        raise FaultError("Compare entry by entry: [m = i, n = j].", at)

    def sum(self) -> Node:
        at = self.token.at
        sign = self.signs()
        terms = [(sign, self.term())]
        while self.sees("+", "-"):
            sign = -1 if self.take().text == "-" else 1
            terms.append((sign * self.signs(), self.term()))
        return terms[0][1] if terms == [(1, terms[0][1])] else Sum(tuple(terms), at)

    def signs(self) -> int:
        sign = 1
        while self.sees("+", "-"):
            sign = -sign if self.take().text == "-" else sign
        return sign

    def term(self) -> Node:
        return self.product()

    def product(self) -> Node:
        """Factors with signs between them or side by side."""
        at = self.token.at
        fronts, self.fronts = self.fronts, []
        factors: list[tuple[str, Node]] = [("*", self.factor())]
        while not self.ends_sum():
            if self.sees(*self.product_signs):
                sign = self.take().text
                if sign == "/":
                    factors = self.division(factors, at)
                    continue
                factors.append((sign, self.signed_factor()))
                if sign in _DIVISIONS and self.starts_factor():
                    self.fail(SLASH, "slash")
            elif self.starts_factor():
                factors.append((" ", self.neighbour()))
            else:
                break
        self.check_fronts([factor for _, factor in factors])
        self.fronts = fronts
        return factors[0][1] if len(factors) == 1 else Product(tuple(factors), at)

    def ends_sum(self) -> bool:
        """Whether a sum ends here that a product would go on with."""
        return False

    def neighbour(self) -> Node:
        """A factor without a sign before it. Of numbers only a fraction: `x 1/N y`."""
        if self.token.kind != "number":
            return self.factor()
        token, slash = self.token, self.ahead()
        if token.text == "1" and slash.text in ("(", "[", "{", "_"):
            return self.number()
        if slash.text == "^":
            return self.factor()
        if slash.text != "/" and token.text == "1":
            self.fail("Write \\mathbf{1} for the vector of ones; a number stands in front.")
        if slash.text != "/":
            self.fail(f"Put a * before {token.text}, or write the number in front.")
        numerator = self.number()
        self.take()
        divisor = self.signed_factor()
        if not self.is_number(divisor):
            raise FaultError("Put brackets round this fraction.", slash.at, "slash")
        if self.starts_factor():
            self.strict.add(slash.at)
            self.check_number_in_front(slash, numerator, divisor)
        return Group(Product((("*", numerator), ("/", divisor)), token.at), token.at)

    def signed_factor(self) -> Node:
        at = self.token.at
        sign = self.signs()
        factor = self.factor()
        return factor if sign > 0 else Sum(((-1, factor),), at)

    def division(self, factors: list[tuple[str, Node]], at: int | None) -> list[tuple[str, Node]]:
        """What follows a slash: one factor, alone unless the fraction is a number in front."""
        slash = self.tokens[self.place - 1]
        self.check_fronts([factor for _, factor in factors])
        self.fronts = []
        divisor = self.signed_factor()
        numerator = factors[0][1] if len(factors) == 1 else Product(tuple(factors), at)
        if self.starts_factor():
            if self.goes_on(slash, numerator, divisor):
                under = [("*", divisor)]
                while self.starts_factor():
                    under.append((" ", self.neighbour()))
                return [*factors, ("/", Group(Product(tuple(under), at), at))]
            front = Product((("*", numerator), ("/", divisor)), at)
            return [("*", Group(front, at))]
        return [*factors, ("/", divisor)]

    def starts_factor(self) -> bool:
        """Whether the next token can begin a factor that stands beside the last one."""
        token = self.token
        if token.kind in ("number", "name"):
            return True
        if token.kind == "word":
            return token.text not in ("if", "else", "and", "or", "otherwise")
        if token.text in ("|", "‖"):
            return not self.bars
        return token.kind == "sign" and token.text in "([{𝟏𝟙∂∇⟨"

    def factor(self) -> Node:
        """An atom with its power."""
        base = self.atom()
        if not self.sees("^"):
            return base
        at = self.take().at
        braced = self.sees("{", "(")
        node = self.raised(base, at)
        if self.sees("^"):
            self.fail("Two powers in a row: add brackets, (a^b)^c or a^(b^c).", "ambiguous")
        if isinstance(node, Power) and not braced and not isinstance(node.exponent, Number):
            self.ends_exponent()
        if not braced and self.sees("/") and self.token.glued and self.ahead().kind == "number":
            self.check_root()
        return node

    def check_root(self) -> None:
        """Refuses `x^1/2` and `x^-1/2`, which may mean a root."""
        before = self.tokens[self.place - 2].text
        if self.ahead().glued and (self.tokens[self.place - 1].text == "1" or before == "-"):
            self.fail("How far does this exponent go? Put braces round it: a^{…}.", "ambiguous")

    def ends_exponent(self) -> None:
        """Refuses `2^xy`: how far the exponent goes is not clear."""
        if self.token.glued and self.token.kind in ("name", "word", "number"):
            self.fail("How far does this exponent go? Put braces round it: a^{…}.", "ambiguous")

    def raised(self, base: Node, at: int | None) -> Node:
        return Power(base, self.exponent(), at)

    def exponent(self) -> Node:
        at = self.token.at
        sign = self.signs()
        if self.sees("(", "{"):
            node = self.bracketed(self.choice)
        elif self.token.kind == "number":
            node = self.number()
        else:
            node = self.exponent_atom()
        return node if sign > 0 else Sum(((-1, node),), at)

    def exponent_atom(self) -> Node:
        return self.atom()

    def atom(self) -> Node:
        raise NotImplementedError


def _share_bounds(one: Node, other: Node) -> bool:
    """Whether these are the two parts of `1 <= i, j <= N`, which bounds both on both sides."""
    match one, other:
        case (
            Compare(low, (("<" | "<=" | ">" | ">=" as begins, Letter(letter)),)),
            Compare(Letter(other_letter), (("<" | "<=" | ">" | ">=" as ends, high),)),
        ):
            ends_alone = isinstance(low, Letter) or isinstance(high, Letter)
            return letter != other_letter and begins[0] == ends[0] and not ends_alone
    return False
