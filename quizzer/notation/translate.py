"""Unicode and light LaTeX → plain text, with the place of every character in what was typed."""

import re
import unicodedata
from dataclasses import dataclass

from quizzer.notation.signs import (
    ACCENTS,
    CHARACTERS,
    COMBINING,
    FONTS,
    FRACTIONS,
    GREEK_COMMANDS,
    INDICATOR,
    ONES,
    OPERATORS,
    SPACES,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    WORD_COMMANDS,
)
from quizzer.notation.values import MAX_DEPTH, FaultError

_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_NAME = re.compile(r"[^\W\d_](?:[^\W\d]|[0-9])*")
_ROOTED = re.compile(r"[^\W\d_](?:[^\W\d]|[0-9])*|[0-9]+(?:\.[0-9]+)?")
_ENVIRONMENT = re.compile(r"\s*\{[A-Za-z]+\*?\}")


@dataclass(frozen=True, slots=True)
class Plain:
    """Plain text; `origin[k]` is the index in the typed text from which character k comes."""

    text: str
    origin: tuple[int, ...]

    def __getitem__(self, part: slice) -> "Plain":
        return Plain(self.text[part], self.origin[part])

    def stripped(self) -> "Plain":
        start = len(self.text) - len(self.text.lstrip())
        return self[start : start + len(self.text.strip())]

    def at(self, index: int) -> int | None:
        """Where character `index` was typed; past the end, where the last one was."""
        if not self.origin:
            return None
        return self.origin[index] if index < len(self.origin) else self.origin[-1] + 1

    def replaced(self, start: int, end: int, text: str) -> "Plain":
        place = self.at(start) or 0
        return Plain(
            self.text[:start] + text + self.text[end:],
            self.origin[:start] + (place,) * len(text) + self.origin[end:],
        )


def translate(text: str) -> Plain:
    """The text in plain signs: `\\frac{a}{b}` is `((a)/(b))`, `ŷᵢ²` is `y_hat_{i}^2`.

    Raises FaultError for an unknown command or a brace that is not closed.
    """
    translator = _Translator(text)
    translator.run(0, len(text), 0)
    return Plain("".join(translator.out), tuple(translator.origin))


class _Translator:
    def __init__(self, text: str) -> None:
        self.text = text
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
            place = self.step(place, end, depth)

    def step(self, at: int, end: int, depth: int) -> int:
        """Translates what begins at `at`; returns where it ends."""
        sign = self.text[at]
        if sign == "\\":
            return self.command(at, end, depth)
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
            self.emit(COMBINING[sign] if self.last().isalnum() else "", at)
        elif sign in (ONES, INDICATOR):
            self.emit(sign, at)
        elif sign in CHARACTERS:
            self.character(CHARACTERS[sign], at)
        elif sign.isspace() and sign != "\n":
            self.emit(" ", at)
        else:
            self.letter(sign, at)
        return at + 1

    def character(self, plain: str, at: int) -> None:
        self.emit(plain, at)
        following = self.text[at + 1 : at + 2]
        if plain in (" sum", " prod") and following not in ("_", "^", "(", *SUBSCRIPTS):
            self.emit(" ", at)

    def letter(self, sign: str, at: int) -> None:
        if sign.isascii():
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
        match = _COMMAND.match(self.text, at, end)
        if not match:
            raise FaultError("A backslash needs a command after it.", at)
        name, after = match[1], match.end()
        if name in ("begin", "end"):
            environment = _ENVIRONMENT.match(self.text, after)
            return environment.end() if environment else after
        if name in FRACTIONS:
            return self.fraction(after, at, end, depth)
        if name == "sqrt":
            return self.square_root(after, at, end, depth)
        if name in ACCENTS:
            return self.accent(name, after, at, end, depth)
        if name in FONTS:
            return self.font(name, after, at, end, depth)
        self.sign(name, at, after)
        if name in ("left", "right") and self.text[after : after + 1] == ".":
            after += 1
        return after

    def sign(self, name: str, at: int, after: int) -> None:
        """Commands that take no argument."""
        if name in SPACES or name in ",;:! ":
            self.emit(" ", at)
        elif name == "\\":
            self.emit("\n", at)
        elif name in "{}":
            self.emit(name, at)
        elif name == "|":
            self.emit("‖", at)
        elif name in ("top", "intercal"):
            raised = "".join(self.out).rstrip()[-1:] in ("^", "{", "-")
            self.emit("⊤" if raised else "^⊤", at)
        elif name in OPERATORS:
            self.emit(OPERATORS[name], at)
        elif name in GREEK_COMMANDS:
            self.word(GREEK_COMMANDS[name], at, after)
        elif name in WORD_COMMANDS:
            self.word(WORD_COMMANDS[name], at, after)
        else:
            raise FaultError(f"The LaTeX command \\{name} is not known here.", at)

    def word(self, word: str, at: int, after: int) -> None:
        """A word apart from the letters before and after it, except after a `d` alone."""
        tail = "".join(self.out[-2:])
        alone = tail.endswith("d") and not tail[:-1].isalnum() and tail[:-1] != "_"
        if self.last().isalnum() and not alone:
            self.emit(" ", at)
        self.emit(word, at)
        if self.text[after : after + 1].isalnum():
            self.emit(" ", at)

    def argument(self, place: int, at: int, end: int) -> tuple[int, int, int]:
        """Start and end of a command's argument, and where the text goes on."""
        while place < end and self.text[place].isspace():
            place += 1
        if place >= end:
            raise FaultError("This command needs an argument in braces.", at)
        if self.text[place] == "{":
            close = self.closing(place, end)
            return place + 1, close, close + 1
        if self.text[place] == "\\":
            match = _COMMAND.match(self.text, place, end)
            stop = match.end() if match else place + 1
            return place, stop, stop
        return place, place + 1, place + 1

    def closing(self, place: int, end: int) -> int:
        depth = 0
        for index in range(place, end):
            if self.text[index - 1 : index] == "\\":
                continue
            depth += {"{": 1, "}": -1}.get(self.text[index], 0)
            if depth == 0:
                return index
        raise FaultError("This brace is not closed.", place)

    def fraction(self, place: int, at: int, end: int, depth: int) -> int:
        self.emit("((", at)
        for after in (")/(", "))"):
            start, stop, place = self.argument(place, at, end)
            self.run(start, stop, depth + 1)
            self.emit(after, at)
        return place

    def square_root(self, place: int, at: int, end: int, depth: int) -> int:
        if self.text[place : place + 1] == "[":
            raise FaultError("Only square roots have a sign here: write x^(1/3).", at)
        if self.text[place : place + 1] == "(":
            self.word("sqrt", at, place)
            return place
        start, stop, place = self.argument(place, at, end)
        self.word("sqrt", at, at)
        self.emit("(", at)
        self.run(start, stop, depth + 1)
        self.emit(")", at)
        return place

    def inner(self, start: int, stop: int, depth: int) -> "Plain":
        inside = _Translator(self.text)
        inside.run(start, stop, depth + 1)
        return Plain("".join(inside.out), tuple(inside.origin)).stripped()

    def accent(self, name: str, place: int, at: int, end: int, depth: int) -> int:
        start, stop, place = self.argument(place, at, end)
        base = self.inner(start, stop, depth).text
        if not _NAME.fullmatch(base):
            raise FaultError(f"\\{name} goes over a single name.", at)
        self.word(base + ACCENTS[name], at, place)
        return place

    def font(self, name: str, place: int, at: int, end: int, depth: int) -> int:
        start, stop, place = self.argument(place, at, end)
        inner = self.inner(start, stop, depth)
        blackboard = name in ("mathbb", "mathds", "mathbbm")
        if inner.text == "1" and (
            blackboard or name in ("mathbf", "boldsymbol", "bm", "bf", "pmb")
        ):
            self.emit(INDICATOR if blackboard else ONES, at)
        elif inner.text == "I" and blackboard:
            self.emit(INDICATOR, at)
        elif inner.text == "T" and self.last() in ("^", "{", "-"):
            self.emit("⊤", at)
        elif _NAME.fullmatch(inner.text):
            spaced = inner.text in ("if", "else", "and", "or")
            self.word(f" {inner.text} " if spaced else inner.text, at, place)
        else:
            self.out.extend(inner.text)
            self.origin.extend(inner.origin)
        return place
