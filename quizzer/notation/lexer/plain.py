"""Plain text that knows where each of its characters was typed."""

from collections.abc import Iterator

from msgspec import Struct


class Plain(Struct, frozen=True):
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

    def at_line(self, line: int, column: int) -> int | None:
        """Where the character at a line, from 1, and a column in UTF-8 bytes was typed."""
        lines = self.text.split("\n")
        if line > len(lines):
            return None
        before = sum(len(part) + 1 for part in lines[: line - 1])
        return self.at(before + len(lines[line - 1].encode()[:column].decode(errors="ignore")))

    def replaced(self, start: int, end: int, text: str) -> "Plain":
        place = self.at(start) or 0
        return Plain(
            self.text[:start] + text + self.text[end:],
            self.origin[:start] + (place,) * len(text) + self.origin[end:],
        )


def is_balanced(text: str) -> bool:
    """Whether every bracket in the text has its partner, in order; their kinds are not compared."""
    depth = 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return False
    return depth == 0


def closing(text: str, opened: int) -> int | None:
    """The place of the bracket that closes the one at `opened`; None where none does."""
    depth = 0
    for place in range(opened, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place
    return None


def between_commas(text: str) -> Iterator[str]:
    """The parts of a text between its commas outside of brackets."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]
