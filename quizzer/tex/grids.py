"""Matrices, cases, aligned lines and tables as boxes."""

from collections.abc import Sequence

from quizzer.tex.box import MAX_AREA, Box, above, based, beside, blank, block, text
from quizzer.tex.pen import Pen
from quizzer.tex.tree import Grid, Shape


def is_too_large(grid: Grid) -> bool:
    """Whether no screen could hold it."""
    return _columns(grid) * len(grid.rows) > MAX_AREA // 4


def drawn(grid: Grid, rows: Sequence[list[Box]], strokes: Pen, *, tight: bool) -> Box:
    """The grid whose cells are these boxes, with its baseline in the middle."""
    count = _columns(grid)
    widths = [max((r[k].width for r in rows if k < len(r)), default=0) for k in range(count)]
    walls = strokes.wall if grid.bars else ""
    lines = [_line(row, widths, grid, walls) for row in rows]
    spread = _is_spread(grid, lines) and not tight
    parts: list[Box] = []
    for place, line in enumerate(lines):
        if place in grid.rules:
            parts.append(_rule(place, widths, grid, strokes))
        elif place and spread:
            parts.append(_line([], widths, grid, walls))
        parts.append(line)
    if len(lines) in grid.rules:
        parts.append(_rule(len(lines), widths, grid, strokes))
    body = above(parts, 0, "l")
    return body if grid.shape is Shape.STACKED else based(body, (body.height - 1) // 2)


def _columns(grid: Grid) -> int:
    return max(map(len, grid.rows))


def _is_spread(grid: Grid, lines: list[Box]) -> bool:
    """Whether blank lines part the rows: round tall ones, and to give two rows a middle."""
    if grid.shape is Shape.STACKED:
        return False
    if any(line.up + line.down for line in lines):
        return True
    return len(lines) == 2 and grid.shape in {Shape.MATRIX, Shape.CASES} and not grid.rules


def _line(row: list[Box], widths: list[int], grid: Grid, wall: str) -> Box:
    """The cells in their columns; a row without cells is a blank line."""
    up = max((box.base for box in row), default=0)
    down = max((box.height - 1 - box.base for box in row), default=0)
    first, inner, last = (
        block([stroke] * (up + 1 + down), up) for stroke in (f"{wall} ", f" {wall} ", f" {wall}")
    )
    parts: list[Box] = []
    for place, columns in enumerate(widths):
        if place in grid.bars:
            parts.append(inner if place else first)
        elif place:
            parts.append(blank(_gap(grid, place)))
        cell = row[place] if place < len(row) else text("")
        parts.append(_filled(cell, columns, _alignment(grid, place, len(widths))))
    if len(widths) in grid.bars:
        parts.append(last)
    line = beside(parts)
    return line if line.width else text("")


def _rule(place: int, widths: list[int], grid: Grid, strokes: Pen) -> Box:
    """A level rule before a row, joined with the upright ones."""
    height = 0 if place == 0 else 2 if place == len(grid.rows) else 1
    joints = strokes.joints[3 * height : 3 * height + 3]
    parts: list[str] = []
    for column, width in enumerate(widths):
        if column in grid.bars:
            joint = joints[1] if column else joints[0]
            parts.append(strokes.bar * (column > 0) + joint + strokes.bar)
        elif column:
            parts.append(strokes.bar * _gap(grid, column))
        parts.append(strokes.bar * width)
    if len(widths) in grid.bars:
        parts.append(strokes.bar + joints[2])
    return text("".join(parts))


def _gap(grid: Grid, place: int) -> int:
    match grid.shape:
        case Shape.ALIGNED:
            return 0 if place % 2 else 4
        case Shape.CASES:
            return 3
    return 2


def _alignment(grid: Grid, place: int, count: int) -> str:
    if grid.shape is Shape.ALIGNED:
        return "lr"[place % 2 == 0] if count > 1 else "l"
    if grid.shape is Shape.CASES:
        return "l"
    letters = grid.columns
    return letters[min(place, len(letters) - 1)] if letters else "c"


def _filled(box: Box, columns: int, align: str) -> Box:
    spare = columns - box.width
    left = {"l": 0, "c": spare // 2, "r": spare}[align]
    lines = tuple(" " * left + line + " " * (spare - left) for line in box.lines)
    return Box(lines, box.base, columns, box.up, box.down)
