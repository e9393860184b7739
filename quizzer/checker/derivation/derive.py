"""The stage that works out a derivation: from its text to what every line claims and gives.

Runs only inside a sandboxed process. The text is read as on paper; nothing of it is executed.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, combinations, product

import numpy as np

from quizzer.checker.derivation.board import Board, Made, used_in
from quizzer.checker.derivation.lines import PROBLEMS, Lines
from quizzer.checker.derivation.nodes import nodes_of
from quizzer.checker.derivation.slopes import Scene
from quizzer.checker.derivation.values import Choice, Claim, Known, Target
from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance, Value
from quizzer.checker.meaning import Kind
from quizzer.checker.sheet import Sheet
from quizzer.checker.source import Source
from quizzer.notation.nodes import Group, Node, Sum, bare


@dataclass(frozen=True, slots=True)
class Look:
    """A wrong claim to be looked at, with changed texts of its right side."""

    claim: int
    texts: tuple[str, ...] = ()
    choice: Choice = field(default_factory=Choice)


@dataclass(frozen=True, slots=True)
class Derive:
    """The request to work out a derivation on these instances."""

    source: Source
    text: str
    sheet: Sheet
    instances: tuple[Instance, ...]
    sets: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    """The equations that the card's question displays."""
    upstream: bool = False
    """Whether derivatives of a 0-d output have the upstream, where nothing else tells."""
    every: bool = False
    """Whether by all meanings of what is ambiguous, not only by the first."""
    differentials: bool = False
    """Whether d-names are differentials wherever they can be."""
    look: Look | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """One link of a line, as far as it was read."""

    line: int
    statement: int
    kind: str
    left: str
    text: str = ""
    """The right side, with names in the place of its derivatives."""
    shown: str = ""
    asked: str | None = None
    letters: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    """The names that it is about, on either side."""
    unread: str | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class By:
    """What every claim gives by one choice; None where it was not worked out."""

    choice: Choice
    known: tuple[Known | None, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A summand, and its value on every instance."""

    text: str
    values: tuple[Array, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the look at a wrong claim found: the summands of the line before, and the first of the
    changed texts that is right."""

    terms: tuple[Term, ...] = ()
    fitting: int | None = None


@dataclass(frozen=True, slots=True)
class Derived:
    """A derivation, worked out."""

    claims: tuple[Said, ...]
    by: tuple[By, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    number: bool = False
    """Whether the only output is a number, so that the upstream may be in or out."""
    seen: Seen | None = None


def derive(request: Derive) -> Derived:
    """Every line worked out. Raises CheckerError."""
    with np.errstate(all="ignore"):
        lines = Lines(Board(request.sheet, scenes_of(request), request.sets))
        first = Choice((), request.upstream)
        lines.read(request.text, first, request.stated, request.differentials)
        by = [By(first, tuple(lines.known))]
        if request.every:
            others = (each for each in choices(lines.board, first) if each != first)
            by += [By(each, tuple(lines.again(each))) for each in others]
        seen = _seen(lines, request.look) if request.look is not None else None
    return Derived(
        tuple(_said(claim, lines.board) for claim in lines.claims),
        tuple(by),
        tuple(lines.board.pairs),
        lines.board.number,
        seen,
    )


def scenes_of(request: Derive) -> tuple[Scene, ...]:
    """The instances as scenes. Raises CheckerError."""
    nodes = nodes_of(request.source, request.instances[0])
    found = []
    for each in request.instances:
        inner = {name: _as_array(value) for name, value in each.intermediates.items()}
        values: dict[str, Value] = {**each.inputs, **inner, **each.outputs}
        values |= request.sheet.sizes_of(each)
        for name, truth in each.truths.items():
            if request.sheet.meaning(name).kind is Kind.REFERENCE:
                values[name] = truth.value
        if len(each.upstreams) == 1:
            (values["delta"],) = each.upstreams.values()
        outputs = tuple(each.outputs)
        found.append(Scene(nodes, dict(each.inputs), values, outputs, dict(each.upstreams)))
    return tuple(found)


def _as_array(value: Value) -> Value:
    """A number that a checker works out, as an array of its own: it may be differentiated."""
    return np.asarray(value) if isinstance(value, float) else value


def choices(board: Board, first: Choice) -> Iterator[Choice]:
    """All meanings of what is ambiguous, those with the least held fixed first."""
    upstreams = (first.upstream, not first.upstream) if board.number else (first.upstream,)
    pairs = board.pairs
    subsets = chain.from_iterable(combinations(pairs, count) for count in range(len(pairs) + 1))
    for direct, upstream in product(subsets, upstreams):
        yield Choice(direct, upstream)


def _said(claim: Claim, board: Board) -> Said:
    target = claim.target
    kind = "words" if claim.words else "unread" if target is None else target.kind
    if target is not None and claim.defines:
        kind = "definition"
    shown = ""
    if claim.reading is not None:
        with suppress(RecursionError):
            shown = bare(claim.reading.steps[-1].source or claim.reading.steps[-1].node)
    return Said(
        claim.line,
        claim.statement,
        kind,
        "" if target is None else target.name,
        claim.text,
        shown,
        None if target is None else target.asked,
        () if target is None else target.letters,
        () if target is None or claim.reading is None else tuple(_about(claim, target, board)),
        claim.unread,
        claim.code,
    )


def _about(claim: Claim, target: Target, board: Board) -> Iterator[str]:
    """The names that a claim is about, on either side."""
    assert claim.reading is not None
    if target.base is not None and target.kind != "definition":
        yield target.base
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


def _seen(lines: Lines, look: Look) -> Seen:
    claim = lines.claims[look.claim]
    before = look.claim - 1
    while before >= 0 and lines.claims[before].statement == claim.statement:
        if lines.claims[before].reading is not None:
            break
        before -= 1
    else:
        before = -1
    terms = _terms(lines, lines.claims[before], look) if before >= 0 else ()
    fitting = None
    for number, text in enumerate(look.texts):
        with suppress(*PROBLEMS, ArithmeticError, ValueError):
            if lines.gives(claim, text, look.choice, look.claim):
                fitting = number
                break
    return Seen(tuple(terms), fitting)


def _terms(lines: Lines, claim: Claim, look: Look) -> tuple[Term, ...]:
    """The summands of a right side."""
    assert claim.reading is not None
    node: Node = claim.reading.steps[-1].node
    while isinstance(node, Group):
        node = node.inner
    if not isinstance(node, Sum) or not 1 < len(node.terms) <= 8:
        return ()
    found = []
    for sign, term in node.terms:
        with suppress(*PROBLEMS):
            values = lines.part(claim, Sum(((sign, term),), node.at), look.choice)
            found.append(Term(bare(term), values))
    return tuple(found)
