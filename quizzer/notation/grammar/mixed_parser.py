"""Matrix products among indices: `Σ_n (λ_n - y_n) x_n`, `(X w - y)_n`, `C^{-1} Σ_n (x_n - μ)`.

What index notation reads is read so; an array without indices, or with fewer than it has axes, is
an array here, and stands beside others as in matrix notation. `x_n` is row n of X, where the card
has an X and no x.
"""

from quizzer.notation.functions import ELEMENTWISE, PAIRS, REDUCTION_SIGNS, REDUCTIONS, WHOLE
from quizzer.notation.grammar.index import IndexParser
from quizzer.notation.grammar.index_letters import spelled
from quizzer.notation.grammar.matrix import MatrixParser
from quizzer.notation.lexer.tokens import Token
from quizzer.notation.nodes import (
    Call,
    Element,
    Group,
    Name,
    Node,
    Table,
    Vector,
    without_brackets,
)
from quizzer.notation.values import FaultError


class MixedParser(IndexParser, MatrixParser):
    """Reads arrays with and without indices in one formula."""

    product_signs = frozenset({"*", "·", "/", "//", "%", "@"})

    def atom(self) -> Node:
        node = self.dotted(self.indexed(self.mixed_atom()))
        return self.primed(node)

    def mixed_atom(self) -> Node:
        token = self.token
        if self.sees("⟨"):
            return self.inner_product()
        if self.sees("|", "‖"):
            bar, inner = self.between_bars()
            return Call("norm" if bar == "‖" else "|", (inner,), token.at)
        if self.sees("𝟙", "𝟏"):
            return self.ones()
        if token.kind == "number" and self.sees_ones():
            return self.ones()
        return IndexParser.atom(self)

    def indexed(self, node: Node) -> Node:
        """An array in brackets or a function's value with the indices behind it."""
        if not isinstance(node, Group | Call) or isinstance(without_brackets(node), Vector):
            return node
        if self.sees("_") and not self.sees_plus():
            return Element(node, tuple(self.indices(1)), node.at)
        return node

    def group(self) -> Node:
        node = self.bracketed(self.inside)
        return self.positive_part(node) if self.sees_plus() else node

    def inside_call(self) -> Node:
        return self.nested(self.choice)

    def element(self, array: Node, what: str) -> Node:
        axes = self.axes_of(array)
        if axes and not self.sees("_", "["):
            return array
        if axes < 2 or self.sees_letters() == axes:
            return super().element(array, what)
        place = self.place
        indices = self.indices(axes)
        if not 0 < len(indices) < axes:
            self.place = place
            return super().element(array, what)
        return Element(array, tuple(indices), array.at)

    def sees_letters(self) -> int:
        """How many letters stand in the braces that follow."""
        if not self.sees("_", "[") or (self.sees("_") and self.ahead().text != "{"):
            return 1
        return 0

    def named(self) -> Node:
        token = self.token
        axes = self.names.axes.get(token.text)
        bare = self.ahead().text not in ("_", "[")
        if axes and bare and not (self.letter_name() in self.scope or self.indexing):
            self.take()
            return Name(token.text, token.at)
        return super().named()

    def word(self) -> Node:
        token = self.token
        if token.text == "I" and self.ahead().text not in ("[", "("):
            self.take()
            return self.identity(token)
        twin = self.names.rows_of(spelled(token))
        bound = self.letter_name() in self.scope
        if twin and self.ahead().text == "_" and not (bound and self.indexing):
            self.take()
            return self.element(Name(twin, token.at), spelled(token))
        known = REDUCTION_SIGNS.get(token.text, token.text) in REDUCTIONS
        if token.text == "diag":
            return self.diagonal()
        if not known and any(token.text in each for each in (ELEMENTWISE, WHOLE, PAIRS)):
            return MatrixParser.function(self)
        return super().word()

    def diagonal(self) -> Node:
        """`diag(p_n (1 - p_n))`: by its entries where one letter in it is bound by nothing else."""
        place, depth, deltas = self.place, self.depth, len(self.deltas)
        try:
            return MatrixParser.function(self)
        except FaultError as fault:
            if fault.code != "missing-sum" or self.open:
                raise
            self.place, self.depth = place, depth
            del self.deltas[deltas:]
            found = self.unbound_letters()
            if len(found) != 1:
                raise
        self.scope += found
        node = MatrixParser.function(self)
        del self.scope[-1]
        assert isinstance(node, Call)
        return Call("diag", (Table(tuple(found), node.arguments[0], node.at),), node.at)

    def unbound_letters(self) -> list[str]:
        """The letters in the brackets of the function that begins here which nothing binds."""
        found: dict[str, None] = {}
        depth, ahead = 0, 1
        while self.ahead(ahead).kind != "end":
            token = self.ahead(ahead)
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            if depth <= 0:
                break
            letter = self.letter_name(ahead)
            if token.kind == "word" and self.is_letter(ahead) and letter not in self.scope:
                found[letter] = None
            ahead += 1
        return list(found)

    def array_in_brackets(self) -> Node | None:
        return None

    def largest(self, kind: str) -> Node:
        """`max(a, b)` of numbers, `sum(x)` of a whole array."""
        token = self.take()
        return Call(kind, self.arguments(), token.at)

    def letters_in_brackets(self) -> list[str] | None:
        found = super().letters_in_brackets()
        return None if found and any(map(self.names.axes.get, found)) else found

    def argument_of(self, function: Token) -> Node:
        if not self.starts_factor():
            self.fail(f"{function.text} needs something to act on: {function.text}(x).")
        return super().argument_of(function)

    def ended(self, kind, body, letters, grouped, at):  # type: ignore[no-untyped-def]
        if kind not in ("sum", "mean"):
            return super().ended(kind, body, letters, grouped, at)
        return body, ()
