"""Arrays in index notation: whole ones, their elements, and the letters that index them."""

from quizzer.notation.brackets import COMPARISONS
from quizzer.notation.functions import ELEMENTWISE, REDUCTIONS, WHOLE
from quizzer.notation.names import Names
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
    Product,
    Reduce,
    Transpose,
    show,
    walk,
)
from quizzer.notation.parser import Parser
from quizzer.notation.tokens import DIGITS, Token
from quizzer.notation.values import FaultError

_NUMBER_VALUED = frozenset({"norm", "tr", "det", "logsumexp", *REDUCTIONS})
_TRANSPOSES = ("T", "⊤")
_DELTAS = ("δ", "delta")
_MARKS = {("T",), ("⊤",), ("-", "1"), ("-", "T"), ("-", "⊤")}


class ArrayParser(Parser):
    """The half of index notation that reads names, indices and letters.

    `scope` holds the letters of the left side and of the sums around. Without a left side
    (None), letters that no sum binds are collected in `free`.
    """

    def __init__(self, tokens: list[Token], names: Names, left: tuple[str, ...] | None) -> None:
        super().__init__(tokens, names)
        self.scope = list(left or ())
        self.open = left is None
        self.free: list[str] = []
        self.summed: set[str] = set()
        self.deltas: list[Element] = []
        """Elements of the upstream that were written with a δ."""
        self.kroneckers: frozenset[int] = frozenset()
        """Places of a δ that is Kronecker's though the upstream has two axes."""

    # Letters

    def is_letter(self, ahead: int = 0) -> bool:
        token = self.ahead(ahead)
        return token.kind in ("name", "word") and len(spelled(token)) == 1

    def primes(self, ahead: int = 0) -> int:
        """How many primes are glued to the token."""
        count = 0
        while self.ahead(ahead + count + 1).text == "'" and self.ahead(ahead + count + 1).glued:
            count += 1
        return count

    def letter_name(self, ahead: int = 0) -> str:
        return spelled(self.ahead(ahead)) + "'" * self.primes(ahead)

    def take_letter(self) -> str:
        name = self.letter_name()
        for _ in name:
            self.take()
        return name

    def letter(self) -> Node:
        """A letter that is bound, or is free where there is no left side."""
        at = self.token.at
        name = self.take_letter()
        if name not in self.scope:
            if not self.open:
                raise FaultError(
                    f"Index {name} is on the right but not on the left: put sum({name}) before it.",
                    at,
                    "missing-sum",
                )
            if name in self.summed:
                raise FaultError(
                    f"Index {name} stands outside of its sum, which ends with its term: add "
                    "brackets, or take another letter.",
                    at,
                    "missing-sum",
                )
            if name not in self.free:
                self.free.append(name)
        return Letter(name, at)

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
        place, close = self.place, {"(": ")", "{": "}"}[self.take().text]
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

    def indices(self, axes: int) -> list[Node]:
        if self.accept("_") and not self.sees("{"):
            return [self.index_atom()]
        opened = self.take()
        close = {"{": "}", "[": "]"}[opened.text]
        self.deeper()
        self.split_inside(close, axes)
        if self.side_by_side(close, axes):
            nodes = []
            while not self.sees(close):
                nodes.append(self.index_atom())
                self.accept(",")
        else:
            nodes = [self.index()]
            while self.accept(","):
                nodes.append(self.index())
        self.depth -= 1
        self.expect(close, opened)
        if close == "]" and len(nodes) < axes and self.sees("[") and not self.compares_next():
            nodes += self.indices(axes - len(nodes))
        return nodes

    def compares_next(self) -> bool:
        """Whether the square brackets that follow hold a condition."""
        ahead = 1
        while self.ahead(ahead).text not in ("]", ""):
            if self.ahead(ahead).text in COMPARISONS:
                return True
            ahead += 1
        return False

    def side_by_side(self, close: str, axes: int) -> bool:
        """Whether letters and numbers stand there, one for each axis: `ij`, but not `2i`."""
        found = self.letters_until(close)
        if len(found) == axes or not found:
            return bool(found)
        factors = [text[0].isdigit() or self.names.axes.get(text) == 0 for text in found]
        return not any(factors)

    def letters_until(self, close: str) -> list[str]:
        """The letters, numbers and elements before the bracket, each by its first token; none if
        anything else stands there."""
        found, ahead = [], 0
        while self.ahead(ahead).text != close:
            end = self.atom_end(ahead)
            if end > ahead:
                found.append(self.ahead(ahead).text)
            elif self.ahead(ahead).text != ",":
                return []
            ahead = max(end, ahead + 1)
        return found

    def atom_end(self, ahead: int) -> int:
        """Where the letter, number or element `k_i` ends that begins there, if one does."""
        if self.ahead(ahead).kind not in ("name", "word", "number"):
            return ahead
        ahead += 1 + self.primes(ahead)
        while self.ahead(ahead).text in ("_", "["):
            ahead += self.ahead(ahead).text == "_"
            depth = 0
            while self.ahead(ahead).kind != "end":
                text = self.ahead(ahead).text
                depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
                ahead += 1
                if depth == 0:
                    break
        return ahead

    def commas_until(self, close: str) -> int:
        """How many commas stand before the bracket, those of inner brackets left out."""
        count, depth, ahead = 0, 0, 0
        while self.ahead(ahead).kind != "end" and (depth or self.ahead(ahead).text != close):
            text = self.ahead(ahead).text
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            count += text == "," and depth == 0
            ahead += 1
        return count

    def split_letters(self, ahead: int = 0) -> bool:
        """Splits a word such as `sj` that is bound letters and numbers side by side."""
        token, word = self.ahead(ahead), spelled(self.ahead(ahead))
        parts: list[Token] = []
        for at, sign in enumerate(word):
            name = self.names.find(sign)
            bound = sign in self.scope or sign in self.free
            indexed = at == len(word) - 1 and self.ahead(ahead + 1).text == "_"
            axes = self.names.axes.get(name or "")
            if not bound and (axes is None or (axes and not indexed)):
                return False
            kind, place = "name" if name else "word", None if token.at is None else token.at + at
            parts.append(Token(kind, name or sign, place, token.glued or at > 0, sign))
        if len(parts) < 2:
            return False
        start = self.place + ahead
        self.tokens[start : start + 1] = parts
        return True

    def split_inside(self, close: str, axes: int) -> None:
        """Splits the words in the brackets that are open, and a lone `12` below two axes."""
        token = self.token
        if token.kind == "number" and self.ahead().text == close and len(token.text) == axes > 1:
            if token.text.isdigit():
                digits = [Token("number", digit, token.at, False) for digit in token.text]
                self.tokens[self.place : self.place + 1] = digits
            return
        ahead = 0
        while self.ahead(ahead).text != close and self.ahead(ahead).kind != "end":
            if self.ahead(ahead).kind == "word" and self.ahead(ahead + 1).text != "(":
                self.split_letters(ahead)
            ahead += 1

    def index_atom(self) -> Node:
        """A letter, a number or an element as an index."""
        if self.token.kind == "number":
            return self.number()
        if self.token.kind not in ("name", "word"):
            self.fail("An index is expected here.")
        axes = self.names.axes.get(self.token.text) if self.token.kind == "name" else None
        if axes == 0 and self.letter_name() not in self.scope:
            token = self.take()
            return Name(token.text, token.at)
        if axes and self.ahead().text in ("_", "["):
            return self.nested(self.atom)
        if self.is_letter():
            return self.letter()
        raise self.names.unknown(spelled(self.token), self.token.at)

    def index(self) -> Node:
        """An index that may be computed: `i - u`, `2k`, `labels[n]`."""
        self.indexing += 1
        node = self.nested(self.sum)
        self.indexing -= 1
        for part in walk(node):
            if isinstance(part, Reduce):
                raise FaultError("A sum cannot stand in an index.", part.at)
            if isinstance(part, Product):
                self.check_one_index(part)
        return node

    def check_one_index(self, product: Product) -> None:
        """Refuses `i j+1`: only numbers multiply an index they stand beside."""
        beside = [sign == " " for sign, _ in product.factors]
        varying = [not self.is_number(factor) for _, factor in product.factors]
        if sum(varying) > 1 and any(beside):
            raise FaultError(
                "Put a comma between two indices, or a * between the factors of one.",
                product.at,
                "indices",
            )

    indexing = 0

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


def spelled(token: Token) -> str:
    return token.typed or token.text
