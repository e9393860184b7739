"""Arrays in index notation: whole ones, their elements, and Kronecker's δ."""

from quizzer.notation.functions import ELEMENTWISE, REDUCTIONS, WHOLE
from quizzer.notation.grammar.index_letters import LetterParser, spelled
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.tokens import DIGITS, Token
from quizzer.notation.nodes import (
    Call,
    Compare,
    Element,
    Group,
    Inverse,
    Letter,
    Name,
    Node,
    Power,
    Transpose,
    show,
)
from quizzer.notation.values import FaultError

_NUMBER_VALUED = frozenset({"norm", "tr", "det", "logdet", "logsumexp", *REDUCTIONS})
_TRANSPOSES = ("T", "⊤")
_DELTAS = ("δ", "delta")
_MARKS = {("T",), ("⊤",), ("-", "1"), ("-", "T"), ("-", "⊤")}


class ArrayParser(LetterParser):
    """The part of index notation that reads names and their elements."""

    def __init__(self, tokens: list[Token], names: Names, left: tuple[str, ...] | None) -> None:
        super().__init__(tokens, names, left)
        self.deltas: list[Element] = []
        """Elements of the upstream that were written with a δ."""
        self.kroneckers: frozenset[int] = frozenset()
        """Places of a δ that is Kronecker's though the upstream has two axes."""

    # Whole arrays

    def axes_of(self, array: Node) -> int:
        match array:
            case Name(name):
                return self.names.axes.get(name) or 0
            case Group(inner) | Transpose(inner) | Inverse(inner):
                return self.axes_of(inner)
            case Call(function, arguments):
                if function in _NUMBER_VALUED:
                    return 0
                axes = self.axes_of(arguments[0])
                if function == "eigenvalues":
                    return 1
                return 3 - axes if function == "diag" else axes
            case _:
                return 0

    def array(self) -> Node | None:
        """An array as a whole, `x`, `A^{-1}`, `softmax(z)`; None, and nothing taken, otherwise."""
        token = self.token
        if token.kind == "name":
            if not self.names.axes.get(token.text):
                return None
            self.take()
            return self.array_suffix(Name(token.text, token.at))
        acts = token.text in ELEMENTWISE or token.text in WHOLE or token.text in REDUCTIONS
        if token.kind != "word" or not acts or self.ahead().text != "(":
            return None
        place = self.place
        self.take()
        inner = self.array_in_brackets()
        if inner is None:
            self.place = place
            return None
        return self.array_suffix(Call(token.text, (inner,), token.at))

    def array_in_brackets(self) -> Node | None:
        place, close = self.place, {"(": ")", "{": "}", "[": "]"}[self.take().text]
        self.deeper()
        inner = self.array_in_brackets() if self.sees("(", "{") else self.array()
        self.depth -= 1
        if inner is None or not self.accept(close):
            self.place = place
            return None
        return self.array_suffix(inner)

    def array_suffix(self, array: Node) -> Node:
        """`^T` and `^{-1}` after a matrix that is meant as a whole."""
        if self.axes_of(array) != 2 or not self.sees("^"):
            return array
        braced = self.ahead().text == "{"
        start = 2 if braced else 1
        for length in (1, 2):
            mark = tuple(self.ahead(start + k).text for k in range(length))
            if mark in _MARKS and (not braced or self.ahead(start + length).text == "}"):
                self.place += start + length + braced
                if mark[0] == "-":
                    array = Inverse(array, array.at)
                return array if mark[-1] == "1" else Transpose(array, array.at)
        return array

    # Elements

    def element(self, array: Node, what: str) -> Node:
        """The array's element at the indices that follow; a number stays as it is."""
        axes = self.axes_of(array)
        exponent_at = self.token.at
        exponent = self.early_power()
        if not self.sees("_", "["):
            if not axes:
                return array
            letters = self.scope[0] if axes == len(self.scope) == 1 else "…"
            written = "(…)" if what == "This" else what
            raise FaultError(
                f"{what} is an array: write its indices, {written}[{letters}].",
                array.at,
                "indices",
            )
        if not axes:
            if self.sees("["):
                return array
            self.fail(f"{what} is a number: it has no indices.", "indices")
        indices = self.indices(axes)
        if len(indices) != axes:
            comma = ""
            if len(indices) < axes and not all(isinstance(i, Letter | Name) for i in indices):
                comma = " Put a comma between two indices."
            raise FaultError(
                f"{what} has {axes} {'axis' if axes == 1 else 'axes'}, but here "
                f"{'is 1 index' if len(indices) == 1 else f'are {len(indices)} indices'}.{comma}",
                array.at,
                "indices",
            )
        node = Element(array, tuple(indices), array.at)
        if what in _DELTAS:
            self.deltas.append(node)
            self.check_no_power(node)
        if exponent is not None:
            return Group(Power(node, exponent, exponent_at), array.at)
        if self.sees("^") and self.ahead().text in ("T", "⊤"):
            self.fail("An element has no transpose: write W[j,i], or W^T[i,j].")
        return node

    def check_no_power(self, delta: Element) -> None:
        """Refuses `δ_i^1`: what is above may be Kronecker's second index."""
        if self.sees("^") and self.ahead().text not in _TRANSPOSES:
            index = show(delta.indices[0])
            self.fail(
                f"Is this a power, or Kronecker's δ? Write [{index} = …] for that; a power stands "
                "behind brackets, (x_i)^2.",
                "ambiguous",
            )

    def early_power(self) -> Node | None:
        """The power of `x^2_i`, which stands before the indices."""
        if not self.sees("^") or self.ahead().kind != "number" or self.ahead(2).text != "_":
            return None
        self.take()
        return self.number()

    def kronecker(self) -> Node:
        at = self.token.at
        indices = self.raised_indices() if self.mixed_indices() else self.indices(2)
        if len(indices) != 2:
            raise FaultError("Kronecker's δ has two indices: δ_{ij}, or [i = j].", at, "indices")
        return Group(Compare(indices[0], (("==", indices[1]),), at), at)

    def mixed_indices(self, ahead: int = 0) -> bool:
        """Whether one index stands below and one above: `_i^j`, `^{i}_{j}`, `_j^{k_i}`."""
        signs = []
        for _ in range(2):
            signs.append(self.ahead(ahead).text)
            braced = self.ahead(ahead + 1).text == "{"
            start = ahead + 1 + braced
            if not self.is_letter(start) or signs[-1] not in ("_", "^"):
                return False
            if self.ahead(start).text in _TRANSPOSES:
                return False
            ahead = self.atom_end(start) if braced else start + 1
            if braced and self.ahead(ahead).text != "}":
                return False
            ahead += braced
        return sorted(signs) == ["^", "_"]

    def raised_indices(self) -> list[Node]:
        found = {}
        for _ in range(2):
            sign = self.take().text
            braced = self.accept("{")
            found[sign] = self.index_atom()
            if braced:
                self.expect("}")
        return [found["_"], found["^"]]

    def is_kronecker(self) -> bool:
        """Whether this δ has two indices though the array of that name has not two axes."""
        token = self.token
        if spelled(token) not in ("δ", "delta", "I"):
            return False
        if self.mixed_indices(1):
            return True
        if self.ahead().text not in ("_", "["):
            return False
        if token.kind == "name" and self.names.axes.get(token.text) == 2:
            return token.at in self.kroneckers
        if token.kind == "word" and token.text != "I":
            return True
        opened = 1 if self.ahead().text == "[" else 2
        if self.ahead(opened).text not in ("[", "{"):
            return False
        place, self.place = self.place, self.place + opened + 1
        try:
            return self.two_indices("]" if opened == 1 else "}", token)
        finally:
            self.place = place

    def two_indices(self, close: str, delta: Token) -> bool:
        """Whether Kronecker's two indices stand before the bracket, and not one such as `2i`.

        Below the δ of a vector the upstream's index has a number in front.
        """
        self.split_inside(close, 1)
        found = self.letters_until(close)
        if len(found) != 2 or self.commas_until(close) or self.names.axes.get(delta.text) != 1:
            return len(found) == 2 or self.commas_until(close) == 1
        first, second = found
        if first[0] in DIGITS:
            return first in ("0", "1")
        fixed = [self.names.axes.get(each) == 0 and each not in self.scope for each in found]
        if fixed == [True, False] and second[0] not in DIGITS:
            raise FaultError(
                f"Is this Kronecker's δ or {delta.text} at the index {first} {second}? Write "
                f"[{first} = {second}], or {delta.text}[{first} {second}].",
                delta.at,
                "ambiguous",
            )
        return True
