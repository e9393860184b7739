r"""The conditions of `\begin{cases}`, broken between words where they are too long for a line."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from quizzer.tex import layout
from quizzer.tex.spacing import Style
from quizzer.tex.tree import EMPTY, Fence, Grid, Leaf, Node, Row, Shape, items_of, row

_LEAST = 12
"""Columns below which a condition is harder to read broken than on one line of its own."""


def conditions_width(items: Sequence[Node], style: Style) -> int:
    """The columns that the conditions of the cases in a row take; 0 where there are none."""
    grids = [grid for item in items if (grid := _grid(item))]
    return max((_width(cells[-1], style) for grid in grids for cells in grid.rows), default=0)


def with_conditions_in(room: int, items: Sequence[Node], style: Style) -> list[Node]:
    """The row with every condition of its cases within so many columns, if that is many enough."""
    if room < _LEAST:
        return list(items)
    return [_narrowed(item, room, style) if _grid(item) else item for item in items]


def _grid(item: Node) -> Grid | None:
    match item:
        case Fence(parts=(Grid(shape=Shape.CASES) as grid,)) if all(len(r) > 1 for r in grid.rows):
            return grid
    return None


def _narrowed(item: Node, room: int, style: Style) -> Node:
    grid = _grid(item)
    if grid is None or not isinstance(item, Fence):
        return item
    rows: list[tuple[Node, ...]] = []
    for cells in grid.rows:
        first, *later = _lines(cells[-1], room, style)
        rows.append((*cells[:-1], first))
        rows += [(*[EMPTY] * (len(cells) - 1), line) for line in later]
    return replace(item, parts=(replace(grid, rows=tuple(rows)),))


def _lines(cell: Node, room: int, style: Style) -> list[Node]:
    lines: list[list[Node]] = [[]]
    for unit in _units(cell):
        if lines[-1] and _width(Row((*lines[-1], *unit)), style) > room:
            lines.append([])
        lines[-1] += unit
    return [row(line) for line in lines]


def _units(cell: Node) -> Iterator[list[Node]]:
    """The parts of a cell between the blanks of its text."""
    unit: list[Node] = []
    for item in items_of(cell):
        if not (isinstance(item, Leaf) and item.prose):
            unit.append(item)
            continue
        words = item.text.split(" ")
        for word in words[:-1]:
            unit.append(replace(item, text=word + " "))
            yield unit
            unit = []
        if words[-1]:
            unit.append(replace(item, text=words[-1]))
    if unit:
        yield unit


def _width(node: Node, style: Style) -> int:
    return layout.lay(node, style).width
