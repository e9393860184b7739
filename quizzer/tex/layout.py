"""A tree → a box: the formula in two dimensions."""

from collections.abc import Sequence

from msgspec.structs import replace

from quizzer.tex import grids, pen
from quizzer.tex.box import (
    NOTHING,
    Box,
    TooLargeError,
    above,
    based,
    beside,
    blank,
    block,
    text,
    with_core,
)
from quizzer.tex.letters import accented
from quizzer.tex.linear import is_power_of_power, linear, linear_fraction
from quizzer.tex.scripts import small_sub, small_sup, stays_large
from quizzer.tex.spacing import Style, gaps
from quizzer.tex.tree import (
    Accent,
    Arrow,
    Atom,
    Boxed,
    Brace,
    Classed,
    Fence,
    Fraction,
    Grid,
    Leaf,
    Node,
    Phantom,
    Root,
    Row,
    Scripts,
    Shape,
    Space,
    Stack,
    Tag,
    Tall,
    atom_of,
    items_of,
)

_WIDE_MARKS = {
    "hat": "^",
    "widehat": "^",
    "tilde": "~",
    "widetilde": "~",
    "vec": "→",
    "dot": "˙",
    "ddot": "¨",
    "check": "ˇ",
    "widecheck": "ˇ",
    "breve": "˘",
    "acute": "´",
    "grave": "`",
    "mathring": "°",
}
_ARROWS = {"overrightarrow": "→", "overleftarrow": "←", "overleftrightarrow": "↔"}
_ASCII_MARKS = {
    "vec": "->",
    "dot": ".",
    "ddot": "..",
    "check": "v",
    "widecheck": "v",
    "breve": "u",
    "acute": "'",
    "mathring": "o",
}


def lay(node: Node, style: Style) -> Box:
    """The box of a node. Raises TooLargeError when no screen could hold it."""
    match node:
        case Leaf():
            return text(style.glyph(node.text))
        case Row():
            return beside(pieces(node.items, style))
        case Scripts():
            return _scripts(node, style)
        case Fraction():
            return _fraction(node, style)
        case Fence():
            return _fence(node, style)
        case Space():
            return blank(node.columns)
        case Classed():
            return lay(node.body, style)
        case Grid():
            return _grid(node, style)
        case Root():
            return _root(node, style)
        case Accent():
            return _accent(node, style)
        case Stack():
            return _stack(lay(node.base, style), node.above, node.below, style)
        case Brace():
            return _brace(node, style)
        case Arrow():
            return _arrow(node, style)
        case Tall():
            return text(style.glyph(node.text))
        case Boxed():
            return _boxed(lay(node.body, style), pen_of(style))
        case Phantom():
            return blank(lay(node.body, style).width)
        case Tag():
            return beside([blank(4), lay(node.body, style)])


def pieces(items: Sequence[Node], style: Style, after: Atom | None = None) -> list[Box]:
    """The boxes of a row's items with the blanks between them as boxes of their own."""
    boxes = [lay(item, style) for item in items]
    if any(_is_tall(item) for item in items):
        up = max(box.up for box in boxes)
        down = max(box.down for box in boxes)
        boxes = [
            _grown(item, up, down, style) if _is_tall(item) else box
            for item, box in zip(items, boxes, strict=True)
        ]
    spaced: list[Box] = []
    for box, gap in zip(boxes, gaps(items, style, after), strict=True):
        if gap:
            spaced.append(_GAP)
        spaced.append(box)
    return spaced


def _is_tall(item: Node) -> bool:
    return isinstance(item.base if isinstance(item, Scripts) else item, Tall)


def _grown(item: Node, up: int, down: int, style: Style) -> Box:
    """A delimiter without a partner, as tall as its row, with its scripts."""
    if isinstance(item, Scripts):
        return _with_scripts(_grown(item.base, up, down, style), item, style)
    return _delimiter(item.text, up, down, style) if isinstance(item, Tall) else NOTHING


def pen_of(style: Style) -> pen.Pen:
    return pen.ASCII if style.ascii else pen.UNICODE


_GAP = blank(1)


def _grid(grid: Grid, style: Style) -> Box:
    if grids.is_too_large(grid):
        raise TooLargeError
    rows = [_cells(row, grid.shape, style) for row in grid.rows]
    return grids.drawn(grid, rows, pen_of(style), tight=style.tight)


def _cells(row: tuple[Node, ...], shape: Shape, style: Style) -> list[Box]:
    """The boxes of a row's cells. In aligned lines a cell goes on with the one before it."""
    if shape is not Shape.ALIGNED:
        return [lay(cell, style) for cell in row]
    boxes: list[Box] = []
    for place, cell in enumerate(row):
        goes_on = place % 2 == 1 and _goes_on(cell)
        items = items_of(cell)
        boxes.append(beside(pieces(items, style, Atom.ORD if goes_on else None)))
    return boxes


def _goes_on(cell: Node) -> bool:
    first = next((item for item in items_of(cell) if not isinstance(item, Space)), None)
    if first is None:
        return False
    return atom_of(first) in {Atom.REL, Atom.BIN} or isinstance(first, Fraction)


def _scripts(node: Scripts, style: Style) -> Box:
    base = Fence("(", (node.base,), ")") if is_power_of_power(node) else node.base
    return _with_scripts(lay(base, style), node, style)


def _with_scripts(base: Box, node: Scripts, style: Style) -> Box:
    sub = _small(node.sub, style, raised=False)
    sup = _small(node.sup, style, raised=True)
    if node.limits and not (style.tight and sub is not None and sup is not None):
        return _stack(base, node.sup, node.sub, style)
    if _is_integral(node.base) and (sub is None or sup is None):
        return _tall_integral(base, node, style)
    up, down = base.core
    top = [] if not sup else [(-up, text(sup))]
    bottom = [] if not sub else [(down, text(sub))]
    if sup is None and node.sup:
        raised = lay(node.sup, style.script)
        top = [(-up - raised.height + (up > 0), raised)]
    if sub is None and node.sub:
        bottom = [(down + (down == 0), lay(node.sub, style.script))]
    if sub and sup and up == down == 0:
        return with_core(beside([base, text(sub + sup)]), 0, 0)
    return with_core(beside([base, _column(top + bottom)]), up, down)


def _small(script: Node | None, style: Style, raised: bool) -> str | None:
    """A script in small Unicode characters; empty when there is none, None when impossible."""
    if script is None:
        return ""
    if stays_large(script, style, raised):
        return None
    line = linear(script, replace(style.script, flat=True))
    if style.ascii:
        return line if raised and not line.strip("'*") else None
    return small_sup(line) if raised else small_sub(line)


def _column(parts: list[tuple[int, Box]]) -> Box:
    """Boxes under each other, each given with the line (from the baseline) it starts on."""
    first = min([0, *(line for line, _ in parts)])
    last = max([0, *(line + box.height - 1 for line, box in parts)])
    lines = [""] * (last - first + 1)
    for start, box in parts:
        for offset, line in enumerate(box.lines):
            lines[start - first + offset] = line
    return block(lines, -first)


def _is_integral(node: Node) -> bool:
    return isinstance(node, Leaf) and node.atom is Atom.OP and node.text in "∫∬∭∮∯"


def _tall_integral(sign: Box, node: Scripts, style: Style) -> Box:
    r"""An integral over three lines, its limits at its ends."""
    lower = lay(node.sub, style.script) if node.sub else NOTHING
    upper = lay(node.sup, style.script) if node.sup else NOTHING
    is_single = sign.lines[0] == "∫"
    drawn = block(["⌠", "⎮", "⌡"] if is_single else ["", sign.lines[0], ""], 1)
    limits = _column([(-upper.height, upper), (1, lower)])
    return beside([drawn, limits])


def _stack(base: Box, over: Node | None, under: Node | None, style: Style) -> Box:
    parts = [base]
    if under is not None:
        parts.append(lay(under, style.script))
    if over is not None:
        parts.insert(0, lay(over, style.script))
    return above(parts, int(over is not None))


def _fraction(node: Fraction, style: Style) -> Box:
    over, under = lay(node.over, style), lay(node.under, style)
    if not node.bar:
        return above([over, text(""), under], 1)
    if (style.tight or node.small) and over.height == under.height == 1:
        return text(linear_fraction(node, replace(style, flat=True)))
    bar = pen_of(style).bar * (max(over.width, under.width) + 2)
    return above([over, text(bar), under], 1)


def _root(node: Root, style: Style) -> Box:
    body = lay(node.body, style)
    strokes = pen_of(style)
    plain, top, wall, foot = strokes.root
    degree = _small(node.degree, style, raised=True)
    if _is_simple(node.body) and body.base == 0 and not style.ascii and degree is not None:
        return with_core(beside([text(degree + plain), body]), 0, 0)
    if body.base == body.up == body.down == 0:
        roof = " " * len(plain) + strokes.roof * body.width
        walls = [plain] + [" " * len(plain)] * (body.height - 1)
        lines = [wall_ + line for wall_, line in zip(walls, body.lines, strict=True)]
        drawn = with_core(block([roof, *lines], 1), 1, 0)
    else:
        roof = " " + top + strokes.roof * body.width
        if not style.ascii:
            roof = " " + top + strokes.bar * body.width
        walls = [f" {wall}"] * (body.height - 1) + [foot + wall]
        lines = [wall_ + line for wall_, line in zip(walls, body.lines, strict=True)]
        drawn = block([roof, *lines], body.base + 1)
    if node.degree is None:
        return drawn
    small = text(degree) if degree else lay(node.degree, style.script)
    return beside([based(small, small.height - 1), drawn])


def _is_simple(node: Node) -> bool:
    """Whether a root needs no roof over it: one symbol, with a subscript at most."""
    match node:
        case Scripts(base=Leaf(), sup=None):
            return True
        case Leaf(text=symbol):
            return len(symbol) == 1 or symbol.isdigit()
    return False


def _accent(node: Accent, style: Style) -> Box:
    body = lay(node.body, style)
    strokes = pen_of(style)
    if body.height == 1 and body.width == 1 and not style.ascii:
        return text(accented(body.lines[0], node.mark) or body.lines[0])
    if node.mark in {"underline", "underbar"}:
        return above([body, text(strokes.floor * body.width)], 0)
    if node.mark in {"bar", "overline"}:
        return above([text(strokes.roof * body.width), body], 1)
    if node.mark in _ARROWS:
        return above([text(_shaft(_ARROWS[node.mark], body.width, style)), body], 1)
    if node.mark in {"cancel", "bcancel", "xcancel", "sout"}:
        return _struck(body, node.mark, style)
    mark = _ASCII_MARKS.get(node.mark) if style.ascii else None
    marked = above([text(mark or _WIDE_MARKS.get(node.mark, "^")), body], 1)
    return marked if body.height > 1 else with_core(marked, 0, 0)


def _struck(body: Box, mark: str, style: Style) -> Box:
    if style.ascii or body.height > 1:
        return beside([text(f"{mark}("), body, text(")")])
    return text("".join(accented(char, "sout") or char for char in body.lines[0]))


def _brace(node: Brace, style: Style) -> Box:
    body = lay(node.body, style)
    strokes = pen_of(style)
    left, point, right = strokes.overbrace if node.over else strokes.brace
    if body.width < 3:
        line = (left + right)[: body.width]
    else:
        before = (body.width - 2) // 2
        bars = strokes.bar * before, strokes.bar * (body.width - 3 - before)
        line = left + bars[0] + point + bars[1] + right
    label = [lay(node.label, style.script)] if node.label else []
    if node.over:
        return _core_of(above([*label, text(line), body], 1 + len(label)), body)
    return _core_of(above([body, text(line), *label], 0), body)


def _core_of(box: Box, body: Box) -> Box:
    """A brace and its label hang out of the delimiters around them."""
    return with_core(box, body.up, body.down)


def _arrow(node: Arrow, style: Style) -> Box:
    over = lay(node.above, style.script) if node.above else NOTHING
    under = lay(node.below, style.script) if node.below else NOTHING
    shaft = text(_shaft(node.glyph, max(over.width, under.width) + 2, style))
    parts = [shaft, under] if under.width else [shaft]
    return above([over, *parts], 1) if over.width else above(parts, 0)


def _shaft(glyph: str, columns: int, style: Style) -> str:
    line = "═" if glyph in "⇒⇐⇔=" else "─"
    if style.ascii:
        line = "=" if line == "═" else "-"
    left = {"←": "←", "↔": "←", "⇐": "⇐", "⇔": "⇐", "↦": "├"}.get(glyph, "")
    right = {"→": "→", "↔": "→", "⇒": "⇒", "⇔": "⇒", "↦": "→", "↪": "→"}.get(glyph, "")
    if style.ascii:
        left, right = "<" if left not in {"", "├"} else left and "|", right and ">"
    return left + line * max(columns - len(left) - len(right), 1) + right


def _fence(node: Fence, style: Style) -> Box:
    parts = [lay(part, style) for part in node.parts]
    up, down = max(box.up for box in parts), max(box.down for box in parts)
    if up + down and _holds_grid(node):
        parts = [beside([_GAP, part, _GAP]) for part in parts]
    boxes = [_delimiter(node.left, up, down, style), parts[0]]
    for middle, part in zip(node.middles, parts[1:], strict=True):
        boxes += [_GAP, _delimiter(middle, up, down, style), _GAP, part]
    boxes.append(_delimiter(node.right, up, down, style))
    return with_core(beside(boxes), up, down)


def _holds_grid(node: Fence) -> bool:
    return any(isinstance(part, Grid) and part.shape is not Shape.STACKED for part in node.parts)


def _delimiter(glyph: str, up: int, down: int, style: Style) -> Box:
    if not glyph:
        return NOTHING
    return pen.delimiter(pen_of(style), glyph, style.glyph(glyph), up, down)


def _boxed(body: Box, strokes: pen.Pen) -> Box:
    line = strokes.bar * (body.width + 2)
    top, bottom = (strokes.joints[k] + line + strokes.joints[k + 2] for k in (0, 6))
    middle = [f"{strokes.wall} {row} {strokes.wall}" for row in body.lines]
    return block([top, *middle, bottom], body.base + 1)
