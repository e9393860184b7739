"""The strokes of a drawing: bars, roots, braces, delimiters; in Unicode or in ASCII."""

from collections.abc import Mapping

from msgspec import Struct

from quizzer.tex.box import Box, block


class Pen(Struct, frozen=True):
    bar: str
    """Of a fraction or a rule in a table."""
    roof: str
    """Low in its line: touches what stands under it."""
    floor: str
    """High in its line: touches what stands over it."""
    wall: str
    joints: str
    """Where rules meet: left, inside, right; of a top, a middle and a bottom line."""
    root: tuple[str, str, str, str]
    """Before a radicand of one line; top, wall and foot of a tall one."""
    brace: tuple[str, str, str]
    """Left end, point and right end of a brace below; the line between is `bar`."""
    overbrace: tuple[str, str, str]
    delimiters: Mapping[str, tuple[str, str, str, str]]
    """Top, middle, bottom, and the filling between."""
    diagonals: tuple[str, str]
    """Rising and falling."""
    twins: Mapping[str, tuple[str, str]]
    """Braces of two lines."""


_UNICODE_DELIMITERS = {
    "(": ("⎛", "⎜", "⎝", "⎜"),
    ")": ("⎞", "⎟", "⎠", "⎟"),
    "[": ("⎡", "⎢", "⎣", "⎢"),
    "]": ("⎤", "⎥", "⎦", "⎥"),
    "{": ("⎧", "⎨", "⎩", "⎪"),
    "}": ("⎫", "⎬", "⎭", "⎪"),
    "|": ("│", "│", "│", "│"),
    "‖": ("║", "║", "║", "║"),
    "⌊": ("⎢", "⎢", "⎣", "⎢"),
    "⌋": ("⎥", "⎥", "⎦", "⎥"),
    "⌈": ("⎡", "⎢", "⎢", "⎢"),
    "⌉": ("⎤", "⎥", "⎥", "⎥"),
    "⟦": ("⟦", "⟦", "⟦", "⟦"),
    "⟧": ("⟧", "⟧", "⟧", "⟧"),
    "↑": ("↑", "│", "│", "│"),
    "↓": ("│", "│", "↓", "│"),
    "↕": ("↑", "│", "↓", "│"),
}

_ASCII_DELIMITERS = {
    "(": ("/", "|", "\\", "|"),
    ")": ("\\", "|", "/", "|"),
    "[": ("[", "[", "[", "["),
    "]": ("]", "]", "]", "]"),
    "{": ("/", "<", "\\", "|"),
    "}": ("\\", ">", "/", "|"),
    "|": ("|", "|", "|", "|"),
    "‖": ("||", "||", "||", "||"),
    "⌊": ("| ", "| ", "|_", "| "),
    "⌋": (" |", " |", "_|", " |"),
    "⌈": ("|^", "| ", "| ", "| "),
    "⌉": ("^|", " |", " |", " |"),
    "⟦": ("[[", "[[", "[[", "[["),
    "⟧": ("]]", "]]", "]]", "]]"),
    "↑": ("^", "|", "|", "|"),
    "↓": ("|", "|", "v", "|"),
    "↕": ("^", "|", "v", "|"),
}

UNICODE = Pen(
    bar="─",
    roof="_",
    floor="‾",
    wall="│",
    joints="┌┬┐├┼┤└┴┘",
    root=("√", "┌", "│", "╲"),
    brace=("╰", "┬", "╯"),
    overbrace=("╭", "┴", "╮"),
    delimiters=_UNICODE_DELIMITERS,
    diagonals=("╱", "╲"),
    twins={"{": ("⎰", "⎱"), "}": ("⎱", "⎰")},
)
ASCII = Pen(
    bar="-",
    roof="_",
    floor="-",
    wall="|",
    joints="+++++++++",
    root=("\\/", " ", "|", "\\"),
    brace=("\\", "v", "/"),
    overbrace=("/", "^", "\\"),
    delimiters=_ASCII_DELIMITERS,
    diagonals=("/", "\\"),
    twins={"{": ("/", "\\"), "}": ("\\", "/")},
)


def delimiter(pen: Pen, glyph: str, plain: str, up: int, down: int) -> Box:
    """A delimiter that covers that many lines above and below its baseline.

    `plain` is its form on one line.
    """
    height = up + 1 + down
    if height == 1 or not plain:
        return block([plain], 0)
    if glyph in pen.twins and height == 2:
        return block(pen.twins[glyph], up)
    if glyph in "⟨⟩/∖\\":
        return _slanted(pen, glyph, plain, up, down)
    top, middle, bottom, filling = pen.delimiters.get(glyph, (plain,) * 4)
    lines = [top, *[filling] * (height - 2), bottom]
    if glyph in pen.twins:
        lines[min(max(up, 1), height - 2)] = middle
    return block(lines, up)


def _slanted(pen: Pen, glyph: str, plain: str, up: int, down: int) -> Box:
    """A slash of full height, or an angle whose sides meet half way."""
    height = up + 1 + down
    rising, falling = pen.diagonals
    if glyph not in "⟨⟩":
        mark = rising if glyph == "/" else falling
        slope = range(height) if mark == falling else range(height - 1, -1, -1)
        return block([" " * indent + mark for indent in slope], up)
    half, odd = divmod(height, 2)
    point = [plain] * odd
    if glyph == "⟨":
        marks = [rising] * half + point + [falling] * half
        indents = [*range(half + odd - 1, odd - 1, -1), *[0] * odd, *range(odd, half + odd)]
    else:
        marks = [falling] * half + point + [rising] * half
        indents = [*range(half), *[half] * odd, *range(half - 1, -1, -1)]
    return block([" " * indent + mark for indent, mark in zip(indents, marks, strict=True)], up)
