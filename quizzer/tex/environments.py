"""The environments of LaTeX and amsmath: how their columns stand and what encloses them."""

import re

from msgspec import Struct

from quizzer.tex.parser import Parser
from quizzer.tex.tokens import Token
from quizzer.tex.tree import (
    EMPTY,
    Atom,
    Fence,
    Grid,
    Leaf,
    Node,
    Shape,
    Space,
    atom_of,
    items_of,
    row,
)


class Environment(Struct, frozen=True):
    shape: Shape
    left: str = ""
    right: str = ""
    arguments: int = 0
    """Brace groups after the name that say nothing about the text."""
    columns: str = ""
    spec: bool = False
    """Whether a group with column letters follows the name."""


_M, _A, _G = Shape.MATRIX, Shape.ALIGNED, Shape.GATHERED

ENVIRONMENTS = {
    "matrix": Environment(_M),
    "smallmatrix": Environment(_M),
    "pmatrix": Environment(_M, "(", ")"),
    "psmallmatrix": Environment(_M, "(", ")"),
    "bmatrix": Environment(_M, "[", "]"),
    "bsmallmatrix": Environment(_M, "[", "]"),
    "Bmatrix": Environment(_M, "{", "}"),
    "vmatrix": Environment(_M, "|", "|"),
    "Vmatrix": Environment(_M, "‖", "‖"),
    "array": Environment(_M, spec=True),
    "tabular": Environment(_M, spec=True),
    "subarray": Environment(Shape.STACKED, spec=True),
    "cases": Environment(Shape.CASES, "{"),
    "dcases": Environment(Shape.CASES, "{"),
    "rcases": Environment(Shape.CASES, "", "}"),
    "drcases": Environment(Shape.CASES, "", "}"),
    "aligned": Environment(_A),
    "align": Environment(_A),
    "alignat": Environment(_A, arguments=1),
    "alignedat": Environment(_A, arguments=1),
    "flalign": Environment(_A),
    "split": Environment(_A),
    "eqnarray": Environment(_A),
    "gather": Environment(_G),
    "gathered": Environment(_G),
    "multline": Environment(_G, columns="l"),
    "multlined": Environment(_G, columns="l"),
    "equation": Environment(_G),
    "displaymath": Environment(_G),
    "math": Environment(_G),
    "subequations": Environment(_G),
}


def environment(parser: Parser, token: Token) -> tuple[Node, ...]:
    r"""What stands between `\begin{name}` and its `\end`, the first of which was just read."""
    name = parser.raw()
    known = ENVIRONMENTS.get(name.removesuffix("*"))
    if known is None:
        parser.unknown[rf"\begin{{{name}}}"] = None
        known = Environment(Shape.ALIGNED)
        shown: tuple[Node, ...] = (Leaf(rf"\begin{{{name}}}", prose=True), Space(1))
    else:
        shown = ()
    _position(parser, name)
    columns, bars = _columns(parser, known)
    for _ in range(known.arguments):
        parser.raw()
    rows, rules = parser.cells(token, frozenset({r"\end"}))
    _close(parser, token, name)
    shape = known.shape
    if not bars and not rules and _is_equation_array(rows):
        shape, columns = Shape.ALIGNED, ""
        rows = [[first, row([*items_of(sign), *items_of(last)])] for first, sign, last in rows]
    grid = Grid(
        shape,
        tuple(map(tuple, rows)),
        columns or known.columns,
        frozenset(bars),
        frozenset(rules),
    )
    if known.left or known.right:
        return (Fence(known.left, (grid,), known.right),)
    return (*shown, grid)


def _is_equation_array(rows: list[list[Node]]) -> bool:
    """Whether relations stand in a column of their own, an old way to align equations."""
    signs = [cells[1] for cells in rows if len(cells) == 3]
    return (
        len(signs) == len(rows)
        and any(atom_of(sign) is Atom.REL for sign in signs)
        and all(sign == EMPTY or atom_of(sign) is Atom.REL for sign in signs)
    )


def _position(parser: Parser, name: str) -> None:
    """Past a `[t]` or, for a starred matrix, a `[r]` after the name; anything else is content."""
    tokens = parser.stream.optional()
    if tokens is not None and "".join(token.text for token in tokens) not in set("tbclr"):
        restored = [Token("[", 0), *tokens, Token("]", 0)]
        parser.stream.rest += reversed(restored)


def _columns(parser: Parser, environment: Environment) -> tuple[str, set[int]]:
    """The letters of a column specification and where its rules stand."""
    if not environment.spec:
        return "", set()
    columns = ""
    bars: set[int] = set()
    spec = re.sub(r"[@!<>]\s*\{[^}]*\}", "", parser.raw())
    spec = re.sub(r"\*\s*\{(\d)\}\s*\{([^}]*)\}", lambda m: m[2] * int(m[1]), spec)
    for letter in re.sub(r"\{[^}]*\}", "", spec):
        if letter == "|":
            bars.add(len(columns))
        elif letter in "lcr":
            columns += letter
        elif letter in "pmbXS":
            columns += "l"
    return columns, bars


def _close(parser: Parser, opener: Token, name: str) -> None:
    token = parser.stream.peek()
    if token is None or token.text != r"\end":
        parser.fault(rf"`\begin{{{name}}}` is never closed", opener)
        return
    parser.stream.next()
    closing = parser.raw()
    if closing != name:
        parser.fault(rf"`\begin{{{name}}}` is closed by `\end{{{closing}}}`", token)
