"""Rectangles of text with a baseline, and how they are set beside and above each other."""

from collections.abc import Sequence

from msgspec import Struct

from quizzer.tex.width import pad, width

MAX_AREA = 40_000
"""Characters beyond which no box is drawn."""

_RULES = frozenset("─_‾-╯╰═")


class TooLargeError(Exception):
    """A drawing would take more than MAX_AREA characters."""


class Box(Struct, frozen=True):
    """Lines of one width; `base` is the index of the line that neighbours align with.

    `up` and `down` count the lines above and below it that delimiters should cover: a raised
    exponent does not make a parenthesis grow.
    """

    lines: tuple[str, ...]
    base: int
    width: int
    up: int = 0
    down: int = 0

    @property
    def height(self) -> int:
        return len(self.lines)

    @property
    def core(self) -> tuple[int, int]:
        return self.up, self.down


NOTHING = Box(("",), 0, 0)


def text(line: str) -> Box:
    return Box((line,), 0, width(line))


def blank(columns: int) -> Box:
    return Box((" " * columns,), 0, columns)


def block(lines: Sequence[str], base: int, align: str = "l") -> Box:
    """Lines filled to one width; delimiters cover all of them."""
    columns = max(map(width, lines))
    if columns * len(lines) > MAX_AREA:
        raise TooLargeError
    filled = tuple(pad(line, columns, align) for line in lines)
    return Box(filled, base, columns, base, len(filled) - 1 - base)


def beside(boxes: Sequence[Box]) -> Box:
    """The boxes in a row on one baseline. Rules of neighbours never run into each other."""
    boxes = [box for box in boxes if box.width or box.height > 1]
    if len(boxes) < 2:
        return boxes[0] if boxes else NOTHING
    above = max(box.base for box in boxes)
    below = max(box.height - box.base for box in boxes)
    columns = sum(box.width for box in boxes) + len(boxes)
    if columns * (above + below) > MAX_AREA:
        raise TooLargeError
    if above + below == 1:
        lines = ("".join(box.lines[0] for box in boxes),)
        return Box(lines, 0, sum(box.width for box in boxes))
    grown = [_grown(box, above, below) for box in boxes]
    columns_of = [box.width for box in boxes]
    for place in range(len(boxes) - 1, 0, -1):
        if _touch(grown[place - 1], grown[place]):
            grown.insert(place, [" "] * (above + below))
            columns_of.append(1)
    return Box(
        tuple(map("".join, zip(*grown, strict=True))),
        above,
        sum(columns_of),
        max(box.up for box in boxes),
        max(box.down for box in boxes),
    )


def above(boxes: Sequence[Box], base: int, align: str = "c") -> Box:
    """The boxes under each other; the box with index `base` gives the baseline."""
    columns = max(box.width for box in boxes)
    if columns * sum(box.height for box in boxes) > MAX_AREA:
        raise TooLargeError
    lines = [pad(line, columns, align) for box in boxes for line in box.lines]
    line = sum(box.height for box in boxes[:base]) + boxes[base].base
    return Box(tuple(lines), line, columns, line, len(lines) - 1 - line)


def with_core(box: Box, up: int, down: int) -> Box:
    return Box(box.lines, box.base, box.width, up, down)


def based(box: Box, base: int) -> Box:
    """The box with its baseline on another of its lines."""
    return Box(box.lines, base, box.width, base, box.height - 1 - base)


def _grown(box: Box, above: int, below: int) -> list[str]:
    gap = " " * box.width
    missing = below - (box.height - box.base)
    return [gap] * (above - box.base) + list(box.lines) + [gap] * missing


def _touch(left: list[str], right: list[str]) -> bool:
    return any(
        a and b and a[-1] == b[0] and a[-1] in _RULES for a, b in zip(left, right, strict=True)
    )
