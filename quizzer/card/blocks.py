"""The blocks of a card that CommonMark has otherwise or not at all.

Display math is a block, or opens within a paragraph, where its lines begin no list. A fence that
is never closed is ordinary text, lest it swallow the rest of the card. `---` is always a rule,
never the underline of a heading. A `|` within a formula is no border of a table's cell.
"""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from quizzer.card.formulas import formulas

FORMULA_BLOCK = "formula_block"
UNCLOSED = "unclosed"
"""The key of the environment under which the lines of unclosed fences are found, from 0."""

_MOST_MISSING_CELLS = 65_536
"""Short rows are filled up, and a file of them would fill the memory."""


def extend(parser: MarkdownIt) -> None:
    """Replaces and adds the rules of this module."""
    ruler = parser.block.ruler
    ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    ruler.at("fence", _fence, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    ruler.before(
        "fence",
        FORMULA_BLOCK,
        _formula_block,
        {"alt": ["paragraph", "reference", "blockquote", "list"]},
    )
    ruler.disable("lheading")
    ruler.at("paragraph", _paragraph)


def _formula_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`$$` at the start of a line up to the next `$$`, which must end its line."""
    first = _line(state, start)
    if not first.startswith("$$") or state.is_code_block(start):
        return False
    last, rest = start, first[2:]
    while "$$" not in rest:
        last += 1
        if last >= end or (state.sCount[last] < state.blkIndent and not state.isEmpty(last)):
            return False
        rest = _line(state, last)
        if _NO_MATH.match(rest):
            return False
    if rest.count("$$") > 1 or not rest.rstrip().endswith("$$"):
        return False
    content = state.getLines(start, last + 1, state.blkIndent, False).strip()[2:-2]
    if not content.strip():
        return False
    if not silent:
        token = state.push(FORMULA_BLOCK, "math", 0)
        token.content, token.map, token.block = content, [start, last + 1], True
        state.line = last + 1
    return True


def _fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Code between two lines of backticks or tildes, the second of which may stand anywhere."""
    match = None if state.is_code_block(start) else _FENCE.match(_line(state, start))
    if match is None:
        return False
    mark = match["mark"]
    close = _closing(state, start, min(end, state.lineMax), mark)
    if close is None:
        state.env.setdefault(UNCLOSED, set()).add(start)
        return False
    if not silent:
        token = state.push("fence", "code", 0)
        token.info, token.markup = match["info"] or "", mark
        token.content = state.getLines(start + 1, close, state.sCount[start], True)
        token.map = [start, close + 1]
        state.line = close + 1
    return True


def _closing(state: StateBlock, start: int, end: int, mark: str) -> int | None:
    """The line that closes a fence. That there is none is remembered: many may be open."""
    hopeless: dict[tuple[str, int], tuple[int, int]] = state.env.setdefault("hopeless", {})
    since, shortest = hopeless.get((mark[0], end), (start, len(mark) + 1))
    if since <= start and shortest <= len(mark):
        return None
    for place in range(start + 1, end):
        line = _line(state, place).strip()
        if len(line) >= len(mark) and not line.strip(mark[0]):
            return place
    hopeless[mark[0], end] = (start, len(mark))
    return None


def _paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines up to a blank one or another block; underlined with `===` they are a heading."""
    outer, state.parentType = state.parentType, "paragraph"
    stop = _end_of_paragraph(state, start)
    state.parentType = outer
    content = state.getLines(start, stop, state.blkIndent, False).strip()
    is_heading = stop < state.lineMax and stop > start and _is_underline(state, stop)
    state.line = stop + is_heading
    kind, tag = ("heading", "h1") if is_heading else ("paragraph", "p")
    opening = state.push(f"{kind}_open", tag, 1)
    opening.map = [start, state.line]
    inline = state.push("inline", "", 0)
    inline.content, inline.map, inline.children = content, [start, stop], []
    closing = state.push(f"{kind}_close", tag, -1)
    opening.markup = closing.markup = "=" if is_heading else ""
    return True


def _end_of_paragraph(state: StateBlock, start: int) -> int:
    rules = state.md.block.ruler.getRules("paragraph")
    closed_in = start
    """Where the formula closes that is open; everything up to there belongs to the paragraph."""
    is_open = False
    line = start
    while True:
        is_open ^= _line(state, line).count("$$") % 2 == 1
        if is_open and line >= closed_in:
            closed_in = _end_of_math(state, line)
            is_open = closed_in > line
        line += 1
        if line >= state.lineMax or state.isEmpty(line):
            return line
        # What is indented so far, or lies outside a quote, goes on with the paragraph.
        if is_open or state.sCount[line] - state.blkIndent > 3 or state.sCount[line] < 0:
            continue
        if _is_underline(state, line) or any(
            rule(state, line, state.lineMax, True) for rule in rules
        ):
            return line


def _end_of_math(state: StateBlock, start: int) -> int:
    """The line of the same paragraph with the next `$$`; the same line again if there is none."""
    for place in range(start + 1, state.lineMax):
        line = _line(state, place)
        if "$$" in line:
            return place
        if not line.strip() or _NO_MATH.match(line):
            break
    return start


def _is_underline(state: StateBlock, line: int) -> bool:
    return state.sCount[line] >= state.blkIndent and bool(_UNDERLINE.fullmatch(_line(state, line)))


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A row of heads, a row of rules, and rows of cells up to a blank line or another block."""
    if start + 2 > end or state.sCount[start + 1] < state.blkIndent:
        return False
    head, rules = _line(state, start).rstrip(), _line(state, start + 1).rstrip()
    if len(rules) < 2 or not _TABLE_RULES.fullmatch(rules) or not _borders(head):
        return False
    if state.is_code_block(start) or state.is_code_block(start + 1):
        return False
    aligned = [_alignment(column) for column in rules.strip("| \t").split("|")]
    if len(cells := _cells(head)) != len(aligned):
        return False
    if silent:
        return True
    outer, state.parentType = state.parentType, "table"
    table = state.push("table_open", "table", 1)
    state.push("thead_open", "thead", 1).map = [start, start + 1]
    _row(state, start, "th", cells, aligned)
    state.push("thead_close", "thead", -1)
    line = start + 2
    for line, cells in _rows(state, start + 2, end, len(aligned)):
        if line == start + 2:
            body = state.push("tbody_open", "tbody", 1)
        _row(state, line, "td", (cells + [""] * len(aligned))[: len(aligned)], aligned)
        line += 1
    if line > start + 2:
        state.push("tbody_close", "tbody", -1)
        body.map = [start + 2, line]
    state.push("table_close", "table", -1)
    table.map = [start, line]
    state.parentType = outer
    state.line = line
    return True


def _rows(state: StateBlock, start: int, end: int, columns: int) -> Iterator[tuple[int, list[str]]]:
    """The lines of a table's body with their cells."""
    # What ends a quote ends a table.
    ends = state.md.block.ruler.getRules("blockquote")
    missing = 0
    for line in range(start, end):
        if state.sCount[line] < state.blkIndent or state.is_code_block(line):
            return
        text = _line(state, line).rstrip()
        if not text or any(rule(state, line, end, True) for rule in ends):
            return
        cells = _cells(text)
        missing += max(columns - len(cells), 0)
        if missing > _MOST_MISSING_CELLS:
            return
        yield line, cells


def _row(state: StateBlock, line: int, tag: str, cells: list[str], aligned: list[str]) -> None:
    state.push("tr_open", "tr", 1).map = [line, line + 1]
    for cell, alignment in zip(cells, aligned, strict=True):
        opening = state.push(f"{tag}_open", tag, 1)
        opening.map = [line, line + 1]
        opening.attrs = {"style": f"text-align:{alignment}"} if alignment else {}
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = cell, [line, line + 1], []
        state.push(f"{tag}_close", tag, -1)
    state.push("tr_close", "tr", -1)


def _alignment(column: str) -> str:
    column = column.strip()
    if column.endswith(":"):
        return "center" if column.startswith(":") else "right"
    return "left" if column.startswith(":") else ""


def _cells(row: str) -> list[str]:
    borders = _borders(row)
    cells = [
        row[start:stop].strip().replace("\\|", "|")
        for start, stop in zip([0, *(b + 1 for b in borders)], [*borders, len(row)], strict=True)
    ]
    first, last = row.startswith("|"), len(cells) > 1 and not cells[-1]
    return cells[first : len(cells) - last]


def _borders(row: str) -> list[int]:
    """The places of each `|` that is neither escaped nor within a formula."""
    within: set[int] = set()
    for start, formula in formulas(row):
        within.update(range(start, formula.end))
    return [found.start() for found in _BORDER.finditer(row) if found.start() not in within]


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


_FENCE = re.compile(r"(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_UNDERLINE = re.compile(r"=+[ \t]*")
_NO_MATH = re.compile(r"#{1,6}[ \t]|-{3,}[ \t]*$|`{3}|~{3}")
"""Lines at which a search for the end of a formula ends: a heading, a rule, a fence."""
_TABLE_RULES = re.compile(r"(?!-[ \t])\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_BORDER = re.compile(r"(?<!\\)\|")
