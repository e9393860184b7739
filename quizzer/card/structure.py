"""Tables, fences and list items of a scanned text as values, each with its true lines."""

from collections.abc import Iterable, Iterator, Sequence

from markdown_it.token import Token
from msgspec import Struct


class Row(Struct, frozen=True):
    cells: tuple[str, ...]
    """The Markdown of each cell."""
    line: int


class Table(Struct, frozen=True):
    head: Row
    rows: tuple[Row, ...]


class Fence(Struct, frozen=True):
    """A block of code; `info` is what follows its opening backticks."""

    info: str
    code: str
    line: int
    """Of the opening backticks; the code begins in the next one."""


class Item(Struct, frozen=True):
    """An item of a list with all that belongs to it, the items of inner lists left out."""

    marker: str
    """`-`, or a number as it is written: `2.`."""
    depth: int
    """0 for an item of an outermost list."""
    tokens: tuple[Token, ...]
    line: int
    stop: int
    """The line behind its last one, inner lists included."""


def tables(tokens: Iterable[Token]) -> Iterator[Table]:
    rows: list[Row] = []
    cells: list[str] = []
    line = 0
    for token in tokens:
        match token.type:
            case "table_open":
                rows = []
            case "tr_open":
                cells, line = [], token.map[0] if token.map else 0
            case "inline":
                cells.append(token.content)
            case "tr_close":
                rows.append(Row(tuple(cells), line))
            case "table_close":
                yield Table(rows[0], tuple(rows[1:]))


def fences(tokens: Iterable[Token]) -> Iterator[Fence]:
    for token in tokens:
        if token.type == "fence" and token.map:
            yield Fence(token.info.strip(), token.content, token.map[0])


def items(tokens: Sequence[Token]) -> Iterator[Item]:
    """The items of all lists in the order in which they begin, inner ones too."""
    open_: list[list[Token]] = []
    found: list[tuple[Token, int, list[Token]]] = []
    depth = 0
    for token in tokens:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                depth += 1
            case "bullet_list_close" | "ordered_list_close":
                depth -= 1
            case "list_item_open":
                open_.append([])
                found.append((token, depth - 1, open_[-1]))
            case "list_item_close":
                open_.pop()
            case _ if open_:
                open_[-1].append(token)
    for opening, level, held in found:
        line, stop = opening.map or (0, 0)
        yield Item(f"{opening.info}{opening.markup}", level, tuple(held), line, stop)
