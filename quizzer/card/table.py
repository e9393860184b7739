"""The table of symbols in a question: what to type for each, and the shape that the card gives it.

Only a table with columns `typed` and `shape` is one. A shape that is not written as sizes, such as
“a list”, is not read.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from markdown_it.token import Token

from quizzer.card.formulation import Typed
from quizzer.card.scanner import tokens_of
from quizzer.card.structure import Row, Table, tables
from quizzer.card.values import Card


def typed_names(card: Card) -> tuple[Typed, ...]:
    """Every name in the tables of symbols, in order."""
    return typed_in(tokens_of(card.question, card.question_line))


def typed_in(tokens: Iterable[Token]) -> tuple[Typed, ...]:
    """Every name in the tables of symbols among these tokens, in order."""
    return tuple(name for table in tables(tokens) for name in _names(table))


def size(text: str, letters: Mapping[str, int]) -> float | None:
    """A size such as `H - A + 1` with these values of its letters; None where it has none."""
    try:
        tree = ast.parse(_PRODUCT.sub("*", text), mode="eval")
        return _number(tree.body, letters)
    except (SyntaxError, ValueError, RecursionError, ArithmeticError):
        return None


def letters_of(axes: tuple[str, ...]) -> Iterator[str]:
    """The letters in these sizes."""
    for axis in axes:
        yield from re.findall(r"[A-Za-z]", axis)


def _names(table: Table) -> Iterator[Typed]:
    heads = [cell.strip(" *_`").casefold() for cell in table.head.cells]
    if "typed" not in heads or "shape" not in heads:
        return
    typed, shape = heads.index("typed"), heads.index("shape")
    of_symbols: dict[str, tuple[str, ...] | None] = {}
    for row in table.rows:
        axes = _axes(row.cells[shape], of_symbols)
        for symbol in re.findall(r"\$([^$]+)\$", row.cells[0]):
            of_symbols[_bare(symbol)] = axes
        yield from _of_row(row, typed, shape, axes)


def _of_row(row: Row, typed: int, shape: int, axes: tuple[str, ...] | None) -> Iterator[Typed]:
    names = [name.strip() for name in re.findall(r"`([^`]+)`", row.cells[typed])]
    symbols: list[str] = re.findall(r"\$([^$]+)\$", row.cells[0])
    if len(symbols) != len(names):
        symbols = [""] * len(names)
    behind = row.cells[shape].rpartition("$")[2]
    others = [cell for place, cell in enumerate(row.cells) if place not in (0, typed, shape)]
    meaning = ", ".join(filter(None, (part.strip(" ,") for part in (behind, *others))))
    for name, symbol in zip(names, symbols, strict=True):
        if name.isidentifier():
            left, _, definition = symbol.partition("=")
            yield Typed(name, axes, row.line, left.strip(), definition.strip(), meaning)


def _axes(cell: str, of_symbols: Mapping[str, tuple[str, ...] | None]) -> tuple[str, ...] | None:
    if re.fullmatch(r"\s*(?:a\s+)?(?:number|scalar)\b.*", cell, re.IGNORECASE):
        return ()
    same = re.fullmatch(r"\s*(?:as|like)\s+\$([^$]+)\$\s*", cell)
    if same:
        return of_symbols.get(_bare(same[1]))
    found = re.match(r"\s*\$([^$]+)\$", cell)
    if not found:
        return None
    axes = tuple(" ".join(axis.split()) for axis in found[1].split(r"\times"))
    return axes if all(map(_is_size, axes)) else None


def _is_size(axis: str) -> bool:
    return (
        len(axis) < 40
        and re.fullmatch(r"[A-Za-z0-9+*/() -]+", axis) is not None
        and (size(axis, dict.fromkeys(re.findall("[A-Za-z]", axis), 12)) is not None)
    )


def _bare(symbol: str) -> str:
    """The symbol without its indices and spaces."""
    return re.sub(r"_(?:\{[^{}]*\}|.)|=.*|\s", "", symbol)


def _number(node: ast.expr, letters: Mapping[str, int]) -> float:
    match node:
        case ast.Constant(int(value)):
            return value
        case ast.Name(name):
            if name not in letters:
                raise ValueError(name)
            return letters[name]
        case ast.BinOp(left, operator, right):
            a, b = _number(left, letters), _number(right, letters)
            match operator:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Div():
                    return a / b
    raise ValueError("no size")


_PRODUCT = re.compile(r"(?<=[A-Za-z0-9)])\s*(?=[A-Za-z(])")
"""Where two factors stand side by side."""
