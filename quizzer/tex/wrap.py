"""A formula within a width: broken at relations, then at sums, at last set on one line."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from quizzer.tex import layout
from quizzer.tex.box import Box, TooLargeError, above, beside, blank, text
from quizzer.tex.conditions import conditions_width, with_conditions_in
from quizzer.tex.linear import linear
from quizzer.tex.spacing import Style, gaps, resolved
from quizzer.tex.tree import (
    Atom,
    Fence,
    Grid,
    Leaf,
    Node,
    Row,
    Scripts,
    Shape,
    Space,
    Tall,
    atom_of,
    items_of,
    row,
)
from quizzer.tex.width import width

_INDENT = 4
_QUAD = 3
_QUIET_RELATIONS = frozenset("∈∉∋|∣∼:→↦⊂⊆∥⊥")
"""Relations that belong to a name or a condition rather than lead a step of a derivation."""
_IMPLICATIONS = frozenset("⟹⇒⟺⇔⟸⇐")

Items = Sequence[Node]


def fit(tree: Node, style: Style, columns: int) -> list[str]:
    """The lines of a formula, none wider than `columns` unless one word is."""
    try:
        drawn = _drawn(tree, style, columns)
    except TooLargeError:
        drawn = None
    if drawn is None or any(width(line) > columns for line in drawn):
        return flowed(linear(tree, replace(style, flat=True)), columns, min(_INDENT, columns // 10))
    return drawn


def flowed(line: str, columns: int, indent: int = 0) -> list[str]:
    """One line broken at its blanks, before a sign rather than after it; later lines indented."""
    lines: list[str] = []
    current = ""
    for unit in _units(line.split(), columns - indent):
        if current and width(current) + 1 + width(unit) > columns:
            lines.append(current)
            current = " " * (indent if indent + width(unit) <= columns else 0) + unit
        else:
            current = f"{current} {unit}" if current else unit
    return [*lines, current] if current else lines


def _units(words: list[str], columns: int) -> Iterator[str]:
    """Words, each sign joined to the word after it where both fit on a line."""
    waiting = ""
    for word in words:
        unit = f"{waiting} {word}" if waiting else word
        if waiting and width(unit) > columns:
            yield waiting
            unit = word
        waiting = unit if len(word) < 3 and not any(map(str.isalnum, word)) else ""
        if not waiting:
            yield unit
    if waiting:
        yield waiting


def _drawn(tree: Node, style: Style, columns: int) -> list[str]:
    whole = layout.lay(tree, style)
    if whole.width > columns:
        whole = _stacked(_lines(tree, style, columns))
    lines = [line.rstrip() for line in whole.lines]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _stacked(lines: list[Box]) -> Box:
    """Lines under each other, with a blank one between where one of them is tall."""
    tall = any(line.height > 1 for line in lines)
    parts: list[Box] = []
    for line in lines:
        if parts and tall:
            parts.append(text(""))
        parts.append(line)
    return above(parts, 0, "l")


def _lines(tree: Node, style: Style, columns: int) -> list[Box]:
    """The formula as lines that fit, each line of its author broken by itself."""
    grid, tail = _outer_grid(tree)
    if grid is None:
        return _broken(items_of(tree), style, columns)
    if len(grid.rows) == len(grid.rows[0]) == 1:
        return _lines(row([*items_of(grid.rows[0][0]), *tail]), style, columns)
    rows = [*grid.rows[:-1], (*grid.rows[-1][:-1], Row((*items_of(grid.rows[-1][-1]), *tail)))]
    if grid.shape is Shape.ALIGNED and max(map(len, rows)) == 2:
        leads = [layout.lay(cells[0], style) for cells in rows]
        column = max(lead.width for lead in leads)
        if column <= columns // 2:
            return [
                line
                for lead, cells in zip(leads, rows, strict=True)
                for line in _aligned(lead, cells[1:], style, column, columns)
            ]
    return [line for cells in rows for line in _broken(_one_row(cells), style, columns)]


def _outer_grid(tree: Node) -> tuple[Grid | None, Items]:
    """The environment that makes up the whole formula, and the little that may follow it."""
    first, *rest = items_of(tree) or (tree,)
    is_tail = all(atom_of(node) in {Atom.SPACE, Atom.PUNCT} or node == Leaf(".") for node in rest)
    if isinstance(first, Grid) and first.shape in {Shape.ALIGNED, Shape.GATHERED} and is_tail:
        return first, rest
    return None, ()


def _aligned(lead: Box, cells: Items, style: Style, column: int, columns: int) -> Iterator[Box]:
    """A line of an aligned environment whose relation stands in a column that is given."""
    items = items_of(cells[0]) if cells else ()
    before = beside([blank(column - lead.width), lead])
    for place, line in enumerate(_broken(items, style, columns - column - 1) if items else ()):
        gap = 1 if column else 0
        yield beside([before, blank(gap), line] if not place else [blank(column + gap), line])
    if not items:
        yield before


def _one_row(cells: Items) -> list[Node]:
    """The cells of an aligned line as one row, pairs of them parted by a quad."""
    items: list[Node] = []
    for place, cell in enumerate(cells):
        if place and place % 2 == 0:
            items.append(Space(_QUAD))
        items += items_of(cell)
    return items


def _broken(items: Items, style: Style, columns: int) -> list[Box]:
    """A row as lines: clauses between quads first, then one line for each relation."""
    whole = _set(items, style)
    if whole.width > columns and (room := conditions_width(items, style) - whole.width + columns):
        whole = _set(with_conditions_in(room, items, style), style)
    if whole.width <= columns:
        return [whole]
    clauses = _clauses(items)
    if len(clauses) > 1:
        lines = _broken(clauses[0], style, columns)
        for clause in clauses[1:]:
            inner = _broken(clause, style, columns - _INDENT)
            lines += [beside([blank(_INDENT), line]) for line in inner]
        return lines
    steps = _steps(items)
    if len(steps) > 1:
        return [line for step in steps for line in _broken(step, style, columns)]
    heads = _at_relations(items, style)
    if not heads:
        return _packed(items, style, 1, columns, columns - 2, 2)
    lead = _set(items[: heads[0]], style)
    steps = [items[a:b] for a, b in pairwise([*heads, len(items)])]
    column = lead.width + 1 if heads[0] else 0
    lines = []
    if column > columns // 2:
        lines = _packed(items[: heads[0]], style, 1, columns, columns - _INDENT, _INDENT)
        column = _INDENT
    for step in steps:
        hang = _set(step[:1], style).width + 1
        inner = _packed(step, style, 1, columns - column, columns - column - hang, hang)
        lines += [beside([blank(column), line]) for line in inner]
    if column == lead.width + 1:
        lines[0] = beside([lead, blank(1), _without_indent(lines[0], column)])
    return lines


def _without_indent(line: Box, columns: int) -> Box:
    shorter = tuple(row[columns:] for row in line.lines)
    return Box(shorter, line.base, line.width - columns, line.up, line.down)


def _packed(items: Items, style: Style, level: int, room: int, later: int, hang: int) -> list[Box]:
    """As many pieces on a line as fit; lines after the first hang by some columns.

    A piece too wide for its line is broken at the next finer level, at last inside brackets.
    """
    if level == len(_LEVELS):
        raise TooLargeError
    find, depth = _LEVELS[level]
    if depth and find is _at_relations:
        items = _opened(items, style)
    places = [0, *find(items, style, depth), len(items)]
    lines: list[Box] = []
    current: list[Node] = []

    def put(line: Box) -> None:
        lines.append(beside([blank(hang), line]) if lines else line)

    for start, end in pairwise(places):
        space = later if lines else room
        is_tail = _opens(items[start]) and _set(items[start:end], style).width > later
        if current and not is_tail and _set([*current, *items[start:end]], style).width > space:
            put(_set(current, style))
            current, space = [], later
        current += items[start:end]
        if _set(current, style).width > space:
            for line in _packed(current, style, level + 1, space, later, 0):
                put(line)
            current = []
    if current:
        put(_set(current, style))
    return lines


def _set(items: Items, style: Style) -> Box:
    """A part of a row, without the blank that its first relation or sign had before it."""
    if not items:
        return text("")
    goes_on = atom_of(items[0]) in {Atom.REL, Atom.BIN}
    boxes = layout.pieces(items, style, Atom.ORD if goes_on else None)
    return beside(boxes[1:] if goes_on else boxes)


def _clauses(items: Items) -> list[list[Node]]:
    clauses: list[list[Node]] = [[]]
    for item, depth in zip(items, _depths(items), strict=True):
        if depth == 0 and isinstance(item, Space) and item.columns >= _QUAD:
            clauses.append([])
        else:
            clauses[-1].append(item)
    return [clause for clause in clauses if clause]


def _steps(items: Items) -> list[Items]:
    """The statements between arrows of implication; each but the first starts with its arrow."""
    places = [
        place
        for place, (item, depth) in enumerate(zip(items, _depths(items), strict=True))
        if place and depth == 0 and isinstance(item, Leaf) and item.text in _IMPLICATIONS
    ]
    return [items[a:b] for a, b in pairwise([0, *places, len(items)])]


def _at_relations(items: Items, style: Style, depth: int = 0) -> list[int]:
    """Where a step of a derivation begins; where none does, before any relation."""
    places = [
        place
        for place, (item, inside) in enumerate(zip(items, _depths(items), strict=True))
        if inside == depth and atom_of(item) is Atom.REL
    ]
    leading = [place for place in places if not _is_quiet(items[place])]
    return leading or [place for place in places if place]


def _is_quiet(node: Node) -> bool:
    return isinstance(node, Leaf) and node.text in _QUIET_RELATIONS


def _at_sums(items: Items, style: Style, depth: int) -> list[int]:
    """Before each `+` and `−` between terms, inside so many brackets."""
    atoms = resolved(items)
    return [
        place
        for place, inside in enumerate(_depths(items))
        if place and inside == depth and atoms[place] is Atom.BIN and _is_sum(items[place])
    ]


def _is_sum(node: Node) -> bool:
    return isinstance(node, Leaf) and node.text in {"+", "−", "±", "∓"}


def _at_gaps(items: Items, style: Style, depth: int) -> list[int]:
    """Before what stands apart from its neighbour: factors, words, parts of a list."""
    atoms = resolved(items)
    spaces = gaps(items, style)
    return [
        place
        for place, inside in enumerate(_depths(items))
        if place
        and (spaces[place] or atoms[place - 1] in {Atom.SPACE, Atom.PUNCT})
        and inside == depth
        and atoms[place - 1] not in {Atom.REL, Atom.BIN, Atom.OP}
    ]


_LEVELS = (
    (_at_relations, 0),
    (_at_sums, 0),
    (_at_gaps, 0),
    (_at_relations, 1),
    (_at_sums, 1),
    (_at_gaps, 1),
    (_at_relations, 2),
    (_at_sums, 2),
    (_at_gaps, 2),
)


def _opens(item: Node) -> bool:
    """Whether a bracket begins here, which belongs to what stands before it."""
    return (isinstance(item, Fence | Scripts) and _is_open(item)) or atom_of(item) is Atom.OPEN


def _opened(items: Items, style: Style) -> list[Node]:
    """The row with its widest fence laid open: delimiters that grow with their line, and parts."""
    widths = [layout.lay(item, style).width if _is_open(item) else 0 for item in items]
    if not any(widths):
        return list(items)
    place = widths.index(max(widths))
    item = items[place]
    fence = item.base if isinstance(item, Scripts) else item
    if not isinstance(fence, Fence):
        return list(items)
    inner: list[Node] = [Tall(fence.left, Atom.OPEN), *items_of(fence.parts[0])]
    for middle, part in zip(fence.middles, fence.parts[1:], strict=True):
        inner += [Tall(middle, Atom.REL), *items_of(part)]
    closer: Node = Tall(fence.right, Atom.CLOSE)
    inner.append(replace(item, base=closer) if isinstance(item, Scripts) else closer)
    return [*items[:place], *inner, *items[place + 1 :]]


def _is_open(item: Node) -> bool:
    """Whether it is a pair of brackets round a row, which can be broken, unlike a matrix."""
    fence = item.base if isinstance(item, Scripts) else item
    return isinstance(fence, Fence) and not any(isinstance(part, Grid) for part in fence.parts)


def _depths(items: Items) -> list[int]:
    """How many brackets are open at each item; a pair of bars counts as brackets."""
    depth = 0
    depths: list[int] = []
    for item in items:
        atom = atom_of(item)
        if atom is Atom.CLOSE:
            depth = max(depth - 1, 0)
        depths.append(depth)
        depth += atom is Atom.OPEN
    for bar in "|‖":
        bars = [place for place, item in enumerate(items) if not depths[place] and _is(bar, item)]
        if len(bars) % 2 == 0:
            for start, end in zip(bars[::2], bars[1::2], strict=True):
                depths[start + 1 : end + 1] = [depth + 1 for depth in depths[start + 1 : end + 1]]
    return depths


def _is(bar: str, item: Node) -> bool:
    symbol = item.base if isinstance(item, Scripts) else item
    return isinstance(symbol, Leaf) and symbol.text == bar and symbol.atom is Atom.ORD
