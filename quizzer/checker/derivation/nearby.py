"""What a wrong line may be compared with: the same left side written otherwise, and names nearby.

Runs only inside a sandboxed process.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from msgspec import Struct

from quizzer.checker.derivation.board import Board, Made, used_in
from quizzer.checker.derivation.lines import PROBLEMS, Lines
from quizzer.checker.derivation.values import Claim, Target
from quizzer.checker.derivative import Array
from quizzer.checker.load import CheckerError
from quizzer.notation import Reading
from quizzer.notation.changes import Vocabulary, summands
from quizzer.notation.grammar.derivation import Written, parts_of
from quizzer.notation.grammar.partials import LOSS, Partial
from quizzer.notation.nodes import Compare, Logic, Name, Node, Sum, bare, show, walk

FAULTS = (*PROBLEMS, ArithmeticError, ValueError, CheckerError)
_MOST_TERMS = 24
_LEFT = re.compile(r"(?:\[([^\[\]]*)\]|_\{([^{}]*)\}|_([^\W\d_]))$")
_D_NAME = re.compile(r"Dꞏ\w+")

Take = Callable[[Array], Array]


class Other(Struct, frozen=True):
    """What the left side is, written otherwise: in another line, or by the card."""

    reading: Reading
    line: int | None = None
    take: Take | None = None
    """What takes the entries of the left side out of its value."""

    @property
    def node(self) -> Node:
        return self.reading.steps[-1].node


def lines_like(lines: Lines, wrong_place: int) -> Iterator[Other]:
    """Right lines with the same left side, the nearest above first."""
    wrong = lines.claims[wrong_place]
    target = wrong.target
    if target is None or target.kind in ("equation", "definition"):
        return
    about = target.name, target.letters, target.kind
    places = [*range(wrong_place - 1, -1, -1), *range(wrong_place + 1, len(lines.claims))]
    for place in places:
        claim, known = lines.claims[place], lines.known[place]
        if claim.reading is None or claim.target is None or known is None:
            continue
        if (claim.target.name, claim.target.letters, claim.target.kind) != about:
            continue
        pairs = zip(known.values, known.truths, strict=True)
        if all(a.shape == b.shape and np.allclose(a, b, 1e-6, 1e-9) for a, b in pairs):
            yield Other(claim.reading, claim.line)


def of_card(claim: Claim, board: Board) -> Iterator[Other]:
    """The left side as the card writes it: its formula, or its author's answer."""
    target = claim.target
    if target is None or target.take is None:
        return
    if target.kind == "value":
        formula = board.scenes[0].nodes.formula(target.name)
        if formula is not None and len(formula.steps) == 1:
            yield Other(formula, None, target.take)
    for text in board.sheet.right.get(target.asked or "", ()):
        with suppress(*FAULTS):
            (part,) = parts_of(text, board.names())
            if isinstance(part, Written):
                indices = None if part.left is None else _left_letters(part.left.text)
                reading = board.read(part.links[-1].text, indices or (), None)
                yield Other(reading, None, target.take)


def _left_letters(text: str) -> tuple[str, ...]:
    """The index letters of an author's left side, `dx[i, j]`."""
    match = _LEFT.search(text.strip())
    inner = "" if match is None else (match[1] or match[2] or match[3])
    return tuple(re.findall(r"[^\W\d_]'*", inner))


def vocabulary(lines: Lines, claim: Claim, env: Mapping[str, Any]) -> Vocabulary:
    """What else could be written in the wrong line."""
    target = claim.target
    assert claim.reading is not None and target is not None
    is_free = target.kind in ("equation", "derivative")
    own = set() if is_free else {target.name, target.base}
    axes = {
        name: np.ndim(value)
        for name, value in env.items()
        if not isinstance(value, str)
        and name not in own
        and not _is_left(lines.board.arrays.get(name), target.name)
    }
    step = claim.reading.steps[-1]
    mine = {part.name for part in walk(step.node) if isinstance(part, Name)}
    axes = {name: axes[name] for name in sorted(axes, key=lambda name: name not in mine)}
    terms: dict[str, Node] = {}
    conditions: dict[str, Node] = {}
    for other in (*lines.claims, *lines.stated):
        if other.reading is None or other is claim or not other.reading.steps:
            continue
        if other.reading.steps[-1].whole != step.whole:
            continue
        for part in walk(other.reading.steps[-1].node):
            if isinstance(part, Compare | Logic):
                conditions.setdefault(show(part), part)
        for summand in summands(other.reading.steps[-1].node):
            used = {part.name for part in walk(summand.term) if isinstance(part, Name)}
            if used <= axes.keys() and not isinstance(summand.term, Sum):
                terms.setdefault(bare(summand.term), summand.term)
    nearby = tuple(terms.values())[:_MOST_TERMS], tuple(conditions.values())[:_MOST_TERMS]
    return Vocabulary(axes, step.letters, step.whole, *nearby)


def names_in(claim: Claim, target: Target, board: Board) -> Iterator[str]:
    """The names that a claim is about, on either side."""
    assert claim.reading is not None
    if target.base is not None and target.kind != "definition":
        yield target.base
    if target.ends is not None:
        yield "L" if target.ends[0] == LOSS else target.ends[0]
    for name in used_in(claim.reading):
        derivative = board.arrays.get(name)
        if isinstance(derivative, Made):
            yield from used_in(derivative.reading)
            if derivative.over is not None:
                yield derivative.over
        elif derivative is not None:
            yield from (derivative.top.name, derivative.over.name)
        else:
            yield name
            yield name.removeprefix("d")


def _is_left(array: Partial | Made | None, name: str) -> bool:
    """Whether a derivative is what the left side stands for."""
    return isinstance(array, Partial) and _shown(array) == name


def written(text: str, board: Board) -> str:
    """A text with derivatives in the place of their names."""

    def derivative(match: re.Match[str]) -> str:
        array = board.arrays.get(match[0])
        if array is None:
            return match[0]
        if isinstance(array, Made):
            inner = bare(array.reading.steps[-1].node)
            return f"∂/∂{array.over} ({inner})" if array.over else f"d({inner})"
        return _shown(array)

    return _D_NAME.sub(derivative, text)


def _shown(partial: Partial) -> str:
    top = partial.top.name
    return f"∂{'L' if top == LOSS else top}/∂{partial.over.name}"
