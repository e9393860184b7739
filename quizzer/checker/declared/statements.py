"""The lines of a declared checker, cut into statements: each with what is indented below it."""

import re
from difflib import get_close_matches

from msgspec import Struct

MAX_LINES = 400
MAX_LENGTH = 1_000
"""Characters of a line that are read."""
KEYWORDS = (
    *("size", "out", "ask", "right", "wrong", "also", "variant", "need", "assume", "hint"),
    *("ties", "seconds", "index", "symbol", "show", "optimum"),
)
"""What a line may begin with that is neither an input nor a formula."""

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")
_SENTENCE = re.compile(r"(?:^|\s)--\s")


class LineError(Exception):
    """A line that cannot be used; the message says what to write."""


class Statement(Struct, frozen=True):
    """A line that is not indented, with the lines below it that are."""

    text: str
    line: int
    block: tuple[tuple[int, str], ...] = ()
    """Line numbers and texts."""

    @property
    def joined(self) -> str:
        """All of it on one line."""
        return " ".join([self.text, *(text for _, text in self.block)]).strip()

    def body(self) -> tuple[list[tuple[int, str]], str]:
        """Its lines without the sentence behind ` -- `, and the sentence.

        A line of the block that begins with `--` goes on with the sentence.
        """
        lines, said = [], []
        for number, text in ((self.line, self.text), *self.block):
            cut = _SENTENCE.search(text)
            if cut:
                said.append(text[cut.end() :].strip())
                text = text[: cut.start()].rstrip()
            if text:
                lines.append((number, text))
        return lines, " ".join(said)


def statements(text: str, first: int) -> list[Statement]:
    """The statements of a text whose first line has the number `first`; `#` begins a comment."""
    rows = []
    for number, raw in enumerate(text.expandtabs(4).split("\n"), first):
        line = _COMMENT.sub("", raw.rstrip()[:MAX_LENGTH]).rstrip()
        if line.strip():
            rows.append((number, len(line) - len(line.lstrip()), line.strip()))
    least = min((indent for _, indent, _ in rows), default=0)
    found: list[Statement] = []
    inner = 0
    for number, indent, line in rows:
        if indent <= least or not found:
            found.append(Statement(line, number))
            inner = 0
            continue
        last = found.pop()
        inner = inner or indent
        block = last.block
        if indent > inner and block:  # a line of the block that goes on
            (begun, above), block = block[-1], block[:-1]
            number, line = begun, f"{above} {line}"
        found.append(Statement(last.text, last.line, (*block, (number, line))))
    return found


def unknown(text: str) -> str:
    """What to say of a line that is nothing."""
    word = text.split()[0] if text.split() else text
    near = get_close_matches(word.lower(), KEYWORDS, 1, 0.6)
    meant = f"did you mean `{near[0]}`? " if near else ""
    return (
        f"{word[:30]!r} begins no line: {meant}An input is `x: N × D`, a formula `y = …`; other "
        f"lines begin with {', '.join(KEYWORDS)}"
    )
