"""Index letters and the indices of an element: what stands below a name or in its brackets."""

from quizzer.notation.grammar.brackets import COMPARISONS
from quizzer.notation.grammar.parser import Parser
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.tokens import Token
from quizzer.notation.nodes import Letter, Name, Node, Product, Reduce, walk
from quizzer.notation.values import FaultError


class LetterParser(Parser):
    """The part of index notation that reads letters and indices.

    `scope` holds the letters of the left side and of the sums around. Without a left side
    (None), letters that no sum binds are collected in `free`.
    """

    def __init__(self, tokens: list[Token], names: Names, left: tuple[str, ...] | None) -> None:
        super().__init__(tokens, names)
        self.scope = list(left or ())
        self.open = left is None
        self.free: list[str] = []
        self.summed: set[str] = set()
        self.indexing = 0
        """How many indices the parser is within."""

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
                raise self.names.missing_sum(name, at)
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

    # Indices

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


def spelled(token: Token) -> str:
    return token.typed or token.text
