"""The body of a printed function: its lines, the arrays it knows, the letters it binds."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from quizzer.checker.printed.functions import HELPERS, NEEDS

LINE = 100
_OPERATORS = (
    (" + ", " - "),
    (" | ", " & "),
    (" * ", " / ", " @ "),
    (" < ", " > ", " <= ", " >= ", " == ", " != "),
)


class Extent(Struct, frozen=True):
    """How long an axis is: as Python writes it, and in each example."""

    source: str
    lengths: tuple[int, ...]


@dataclass(slots=True)
class Body:
    """What has been printed of a function so far."""

    arrays: dict[str, tuple[Extent, ...]]
    """Every name that a formula may use, with the axes of its array."""
    taken: set[str]
    """Names that no local may have."""
    lines: list[str] = field(default_factory=list)
    bound: dict[str, str] = field(default_factory=dict)
    """The letters that are bound now, each with what it holds."""
    mine: dict[str, str] = field(default_factory=dict)
    """Those of the formula that is being printed."""
    indent: str = "    "

    def begin(self, comment: str) -> None:
        """A formula, quoted as its author wrote it."""
        plain = ["".join(c if c.isprintable() else " " for c in p) for p in comment.splitlines()]
        self.lines += [f"{self.indent}# {part}" for part in plain]
        self.mine = {}

    def assign(self, name: str, source: str) -> None:
        self.lines += [self.indent + line for line in wrapped(f"{name} = {source}")]

    def letter(self, letter: str, held: str) -> str:
        """The local that holds the values of an index letter."""
        local = re.sub(r"\W+", "_", letter)
        while local in self.taken or self.mine.get(local, held) != held:
            local += "_"
        self.mine[local] = held
        if self.bound.get(local) != held:
            self.bound[local] = held
            self.assign(local, held)
        return local

    def hoisted(self, hint: str, source: str) -> str:
        """A new local for an array that several indices read."""
        local = hint
        while local in self.taken or local in self.bound or local in self.arrays:
            local += "_"
        self.bound[local] = source
        self.assign(local, source)
        return local


def wrapped(statement: str) -> list[str]:
    """A statement on lines that are not too long, broken at its outermost operators or commas."""
    if len(statement) <= LINE - 4:
        return [statement]
    left, equals, right = statement.partition(" = ")
    if closes_last(right, right.find("(")) and right.startswith(("np.", "_")):
        first, *rest = _broken(right, "")
        if rest:
            return [f"{left}{equals}{first}", *rest]
    return [f"{left}{equals}(", *_broken(right, "    "), ")"]


def _broken(source: str, indent: str) -> list[str]:
    if len(indent) + len(source) <= LINE - 4:
        return [indent + source]
    if source.endswith(","):
        *before, last = _broken(source[:-1], indent)
        return [*before, f"{last},"]
    for signs in _OPERATORS:
        places = [p for p, depth in _places(source, signs) if depth == 0]
        if places:
            parts = [
                source[a:b].strip() for a, b in zip([0, *places], [*places, None], strict=True)
            ]
            return [line for part in parts for line in _broken(part, indent)]
    opening = re.search(r"[\[(]", source)
    closing = source[-1:]
    if opening is None or closing not in ")]":
        return [indent + source]
    start = opening.end()
    inner = source[start:-1]
    if not closes_last(source, opening.start()):
        return [indent + source]
    commas = [p + 1 for p, depth in _places(inner, (", ",)) if depth == 0]
    parts = [inner[a:b].strip() for a, b in zip([0, *commas], [*commas, None], strict=True)]
    return [
        indent + source[:start],
        *(line for part in parts for line in _broken(part, indent + "    ")),
        indent + closing,
    ]


def closes_last(source: str, opening: int) -> bool:
    depth = 0
    for place, sign in enumerate(source[opening:], opening):
        depth += (sign in "([{") - (sign in ")]}")
        if not depth:
            return place == len(source) - 1
    return False


def _places(source: str, signs: tuple[str, ...]) -> Iterable[tuple[int, int]]:
    depth, quoted = 0, ""
    for place, sign in enumerate(source):
        if quoted:
            quoted = "" if sign == quoted else quoted
        elif sign in "\"'":
            quoted = sign
        depth += (sign in "([{") - (sign in ")]}")
        if place and not quoted and source.startswith(signs, place):
            yield place, depth


def helpers_in(source: str) -> list[str]:
    """The helper functions that a source uses, those that they need before them."""
    found: dict[str, None] = {}
    for name in HELPERS:
        if re.search(rf"(?<!\w){name}(?!\w)", source):
            found |= dict.fromkeys((*NEEDS.get(name, ()), name))
    return [HELPERS[name] for name in found]


def mentions(source: str, names: Iterable[str]) -> list[str]:
    """The names among these that are words of a source."""
    words = set(re.findall(r"[^\W\d]\w*", re.sub(r"\"[^\"\n]*\"|#.*", "", source)))
    return [name for name in names if name in words]


Arrays = Mapping[str, tuple[Extent, ...]]
