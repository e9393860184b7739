"""Single signs as they are typed → plain signs: `ŷᵢ²` is `y_hat_{i}^2`."""

import re
import unicodedata

from quizzer.notation.lexer.signs import (
    CHARACTERS,
    COMBINING,
    INDICATOR,
    ONES,
    SUBSCRIPTS,
    SUPERSCRIPTS,
)
from quizzer.notation.values import MAX_DEPTH, FaultError

_PLAIN = re.compile(r"[\n -#%'-9;-\[\]-}]+")
"""Signs of ASCII that stay as they are, wherever they are: all but \\ : $ & ~ and controls."""
_SUBSCRIPTED = re.compile(r"_\w{1,2}$")
_ROOTED = re.compile(r"[^\W\d_](?:[^\W\d]|[0-9])*|[0-9]+(?:\.[0-9]+)?")


class Signs:
    """What a text is in plain signs so far, and where each sign comes from."""

    def __init__(self, text: str, keep: str = "") -> None:
        self.text = text
        self.keep = keep
        """Signs that stay as they are."""
        self.out: list[str] = []
        self.origin: list[int] = []

    def emit(self, text: str, at: int) -> None:
        self.out.extend(text)
        self.origin.extend([at] * len(text))

    def last(self) -> str:
        return self.out[-1] if self.out else ""

    def run(self, start: int, end: int, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise FaultError("This is nested too deeply.", start)
        place = start
        while place < end:
            if plain := _PLAIN.match(self.text, place, end):
                self.out.extend(plain[0])
                self.origin.extend(range(place, plain.end()))
                place = plain.end()
            else:
                place = self.step(place, end, depth)

    def step(self, at: int, end: int, depth: int) -> int:
        """Translates what begins at `at`; returns where it ends."""
        sign = self.text[at]
        if sign == "\\":
            return self.command(at, end, depth)
        if sign in self.keep:
            self.emit(sign, at)
            return at + 1
        if sign == ":" and self.text[at + 1 : at + 2] == "=":
            self.emit("=", at)
            return at + 2
        if sign in SUPERSCRIPTS:
            return self.script(at, end, "^", SUPERSCRIPTS)
        if sign in SUBSCRIPTS:
            return self.script(at, end, "_", SUBSCRIPTS)
        if sign == "⊤":
            raised = "".join(self.out).rstrip()[-1:] in ("^", "{", "-")
            self.emit("⊤" if raised else "^⊤", at)
        elif sign == "√":
            return self.root(at)
        elif sign in COMBINING:
            if not self.last().isalnum():
                raise FaultError("An accent goes over a single name.", at)
            self.emit(COMBINING[sign], at)
        elif sign in (ONES, INDICATOR):
            self.emit(sign, at)
        elif sign == "&" and self.joins_conditions(at):
            self.emit(" and ", at)
        elif sign in CHARACTERS:
            self.character(CHARACTERS[sign], at)
        elif sign.isspace() and sign != "\n":
            self.emit(" ", at)
        else:
            self.letter(sign, at)
        return at + 1

    def joins_conditions(self, at: int) -> bool:
        """Whether the `&` at this place means `and`: in brackets, between two terms."""
        out = "".join(self.out).rstrip(" ")
        opened = out.count("(") + out.count("[") > out.count(")") + out.count("]")
        following = self.text[at + 1 :].lstrip()[:1]
        return opened and out[-1] not in "\n([{=<>+-*/," and following not in ("", *"=<>+-*/\\&")

    def character(self, plain: str, at: int) -> None:
        self.emit(plain, at)
        following = self.text[at + 1 : at + 2]
        if plain in (" sum", " prod") and following not in ("_", "^", "(", *SUBSCRIPTS):
            self.emit(" ", at)

    def letter(self, sign: str, at: int) -> None:
        if sign in "ΣΠ" and _SUBSCRIPTED.search("".join(self.out[-3:])):
            self.emit(" ", at)
        if sign.isascii() or sign == "ℓ":
            self.emit(sign, at)
            return
        parts = unicodedata.normalize("NFD", sign)
        if len(parts) == 2 and parts[1] in COMBINING:
            self.emit(parts[0] + COMBINING[parts[1]], at)
            return
        folded = unicodedata.normalize("NFKC", sign)
        self.emit(folded if len(folded) == 1 else sign, at)

    def script(self, at: int, end: int, mark: str, table: dict[str, str]) -> int:
        stop = at
        while stop < end and self.text[stop] in table:
            stop += 1
        inner = "".join(table[sign] for sign in self.text[at:stop])
        short = mark == "^" and len(inner) == 1
        self.emit(mark + inner if short else f"{mark}{{{inner}}}", at)
        return stop

    def root(self, at: int) -> int:
        rooted = _ROOTED.match(self.text, at + 1)
        self.emit(" sqrt", at)
        if not rooted:
            return at + 1
        self.emit("(", at)
        self.run(rooted.start(), rooted.end(), 0)
        self.emit(")", at)
        return rooted.end()

    def command(self, at: int, end: int, depth: int) -> int:
        """Translates a command of LaTeX; returns where it ends."""
        raise NotImplementedError
