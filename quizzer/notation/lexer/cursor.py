"""Walking over tokens: what every parser does, whatever its grammar."""

from collections.abc import Callable
from typing import NoReturn

from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.tokens import Token
from quizzer.notation.nodes import Node
from quizzer.notation.values import MAX_DEPTH, FaultError

_BETWEEN = frozenset(
    {
        "+",
        "-",
        "*",
        "/",
        "^",
        "·",
        "⊙",
        "⊘",
        "@",
        "%",
        "//",
        "==",
        "_",
        ".",
        "if",
        "else",
        "and",
        "or",
    }
)


class Cursor:
    """A place in a list of tokens, and how deep the reading is nested."""

    def __init__(self, tokens: list[Token], names: Names) -> None:
        self.tokens = tokens
        self.names = names
        self.place = 0
        self.depth = 0
        self.bars = ""
        """The bar that is open, `|` or `‖`: it cannot open another."""

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def ahead(self, count: int = 1) -> Token:
        return self.tokens[min(self.place + count, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.token
        self.place = min(self.place + 1, len(self.tokens) - 1)
        return token

    def sees(self, *signs: str) -> bool:
        token = self.tokens[self.place]
        return token.kind == "sign" and token.text in signs

    def sees_word(self, word: str) -> bool:
        return self.token.kind == "word" and self.token.text == word

    def accept(self, *signs: str) -> bool:
        if self.sees(*signs):
            self.take()
            return True
        return False

    def expect(self, sign: str, opened: Token | None = None) -> None:
        if self.accept(sign):
            return
        if self.token.kind == "end" and opened is not None:
            message = f"This {opened.text} is not closed by a {sign}."
            raise FaultError(message, opened.at, "unfinished")
        self.check_dots()
        before, after = self.tokens[self.place - 1], self.ahead()
        numbers = before.kind == after.kind == "number"
        if self.sees(",") and numbers and after.at == (self.token.at or 0) + 1:
            self.fail("Decimals are written with a point: 0.5.")
        self.fail(f"A {sign} is expected here, not {self.found()}.")

    def check_dots(self) -> None:
        """Refuses `.*` and `./`, saying what they are called here."""
        if self.sees(".") and self.ahead().text in ("*", "/"):
            self.fail(f"Write {'⊙' if self.ahead().text == '*' else '⊘'} for elementwise.")

    def misplaced(self) -> NoReturn:
        """Fails at a token that cannot begin a factor, saying what is missing beside a sign."""
        before = self.tokens[self.place - 1] if self.place else None
        closing = self.token.kind == "end" or self.sees(")", "]", "}", ",")
        if closing and before is not None and before.text in _BETWEEN:
            self.fail(f"Something is missing after {before.text}.")
        self.check_dots()
        if self.sees(*_BETWEEN):
            self.fail(f"Something is missing before {self.token.text}.")
        if self.sees("<", "⟨"):
            self.fail("Write an inner product as x^T u.")
        self.fail(f"{self.found()} cannot stand here.")

    def found(self) -> str:
        return "the end" if self.token.kind == "end" else self.token.text

    def fail(self, message: str, code: str = "syntax") -> NoReturn:
        raise FaultError(message, self.token.at, code)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("This is nested too deeply.", "too-large")

    def nested(self, read: Callable[[], Node]) -> Node:
        self.deeper()
        node = read()
        self.depth -= 1
        return node
