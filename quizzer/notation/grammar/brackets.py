"""What stands in brackets or between bars, and what functions without brackets act on."""

import math
from collections.abc import Callable

from quizzer.notation.lexer.fractions import Fractions
from quizzer.notation.lexer.names import Doubt
from quizzer.notation.lexer.tokens import Token
from quizzer.notation.nodes import (
    Call,
    Compare,
    Group,
    Logic,
    Node,
    Number,
    Product,
    Reduce,
    Sum,
    without_brackets,
)
from quizzer.notation.values import FaultError

COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_CONDITION = "An indicator needs its condition in brackets: [i = j]."


class Brackets(Fractions):
    """The part of a parser below powers: numerals, brackets, bars and arguments."""

    product_signs = frozenset({"*", "·", "/"})

    def choice(self) -> Node:
        raise NotImplementedError

    def condition(self, commas: bool = False) -> Node:
        raise NotImplementedError

    def tested(self, read: Callable[[], Node]) -> Node:
        raise NotImplementedError

    def exponent(self) -> Node:
        raise NotImplementedError

    def factor(self) -> Node:
        raise NotImplementedError

    def product(self) -> Node:
        raise NotImplementedError

    def starts_factor(self) -> bool:
        raise NotImplementedError

    def ends_exponent(self) -> None:
        raise NotImplementedError

    def number(self) -> Node:
        """A numeral; a 1 with a condition below it is an indicator."""
        token = self.take()
        if token.text == "1" and (self.sees("_") or self.compares_inside()):
            return self.indicator()
        value = float(token.text)
        if math.isinf(value):
            raise FaultError("This number is too large.", token.at)
        if self.token.kind == "number" and self.token.glued:
            self.fail(f"{token.text}{self.token.text} is not a number.")
        return Number(value, token.at)

    def compares_inside(self) -> bool:
        """Whether a comparison stands in the round brackets that are glued to the last token."""
        depth, ahead = 1, 1
        if not (self.sees("(", "{") and self.token.glued):
            return False
        while depth and self.ahead(ahead).kind != "end":
            text = self.ahead(ahead).text
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            if depth == 1 and text in COMPARISONS:
                return True
            ahead += 1
        return False

    def bracketed(self, read: Callable[[], Node]) -> Node:
        """What stands in round, square or curly brackets."""
        opened = self.take()
        bars, self.bars = self.bars, ""
        node = self.nested(read)
        self.expect(_CLOSING[opened.text], opened)
        self.bars = bars
        return Group(node, opened.at)

    def arguments(self) -> tuple[Node, ...]:
        """What stands between commas in brackets of any kind."""
        opened = self.take()
        found = [self.nested(self.choice)]
        while self.accept(","):
            found.append(self.nested(self.choice))
        self.expect(_CLOSING[opened.text], opened)
        return tuple(found)

    def iverson(self) -> Node:
        """A condition in brackets: 1 where it holds, 0 elsewhere."""
        opened = self.token
        node = self.tested(lambda: self.bracketed(lambda: self.condition(commas=True)))
        inner = node.inner if isinstance(node, Group) else node
        while isinstance(inner, Group):
            inner = inner.inner
        if self.sees_plus():
            return self.positive_part(node)
        if isinstance(inner, Compare | Logic) or self.groups(inner):
            return node
        raise FaultError(
            "Square brackets hold a condition, [i = j]; for grouping use round ones.",
            opened.at,
        )

    def groups(self, inner: Node) -> bool:
        """Whether square brackets may group this: what one bracket alone would not stand round."""
        return isinstance(inner, Sum | Product | Reduce)

    def inner_product(self) -> Node:
        """`⟨a, b⟩`."""
        opened = self.take()
        bars, self.bars = self.bars, ""
        first = self.nested(self.choice)
        if not self.accept(",", "|"):
            self.fail("An inner product has two parts: ⟨a, b⟩.")
        second = self.nested(self.choice)
        self.expect("⟩", opened)
        self.bars = bars
        return Call("inner", (first, second), opened.at)

    def sees_plus(self) -> bool:
        """Whether `_+` follows, of the positive part `[1 - m]_+`."""
        return self.sees("_") and "+" in (
            self.ahead().text,
            self.ahead(2).text if self.ahead().text == "{" and self.ahead(3).text == "}" else "",
        )

    def positive_part(self, node: Node) -> Node:
        at = self.take().at
        for _ in range(3 if self.sees("{") else 1):
            self.take()
        return Call("relu", (node,), at)

    def indicator(self) -> Node:
        """What follows a blackboard 1: `[cond]`, `{cond}`, `(cond)` or `_{cond}`."""
        self.accept("_")
        if not self.sees("[", "{", "("):
            self.fail(_CONDITION)
        opened, node = self.token, self.iverson()
        if self.groups(without_brackets(node)):
            raise FaultError(_CONDITION, opened.at)
        return node

    def between_bars(self) -> tuple[str, Node]:
        """What stands between `|…|` or `‖…‖`, and which bar it was."""
        opened = self.take()
        bars, self.bars = self.bars, opened.text
        node = self.nested(self.choice)
        self.expect(opened.text, opened)
        self.bars = bars
        if opened.text == "‖" and self.accept("_"):
            self.euclidean()
        return opened.text, Group(node, opened.at)

    def euclidean(self) -> None:
        """The `_2` or `_F` of a norm."""
        braces = self.accept("{")
        if self.token.text not in ("2", "F"):
            self.fail("Only the Euclidean and the Frobenius norm are known: ‖x‖, ‖A‖_F.")
        self.take()
        if braces:
            self.expect("}")

    def argument_of(self, function: Token) -> Node:
        """The single factor that a function without brackets applies to."""
        if self.sees("_"):
            self.fail(f"{function.text} has no index here; a logarithm to base 2 is ln(x) / ln(2).")
        if not self.starts_factor():
            self.fail(f"{function.text} needs something to act on: {function.text}(x).")
        start = self.place
        node = self.nested(self.factor)
        of_matrix = function.text in ("det", "tr", "logdet") and not self.starts_factor()
        if not of_matrix and (self.starts_factor() or self.sees(*self.product_signs)):
            message = f"Put brackets round what {function.text} acts on: {function.text}(…)."
            doubt = Doubt(2, message, function.at)
            if self.names.decide(("argument", function.at), doubt) == 1:
                self.place = start
                return self.nested(self.product)
        return node

    def no_prime(self, function: Token) -> None:
        if self.sees("^"):
            self.fail(f"Put the power behind the brackets: {function.text}(x)^2.")
        if self.sees("'"):
            raise FaultError(
                f"Write the derivative of {function.text} out: for σ it is σ(z) ⊙ (1 - σ(z)).",
                self.token.at,
                "prime",
            )

    def euler(self) -> Node | None:
        """`e^x` is exp(x), unless the card has a name `e`."""
        if self.sees_word("e") and self.ahead().text == "^":
            at = self.take().at
            self.take()
            braced = self.sees("{", "(")
            exponent = self.exponent()
            if self.sees("^"):
                self.fail("Two powers in a row: add brackets.", "ambiguous")
            if not braced:
                self.ends_exponent()
            return Call("exp", (exponent,), at)
        return None

    def circle_number(self) -> Node | None:
        """π, unless the card has a name that is spelled so."""
        if self.sees_word("pi") or self.sees_word("π"):
            return Number(math.pi, self.take().at)
        return None
