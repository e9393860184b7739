"""The stage that works out a derivation: from its text to what every line claims and gives.

Runs only inside a sandboxed process. The text is read as on paper; nothing of it is executed.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, combinations, product

import numpy as np
from msgspec.structs import replace

from quizzer.checker.derivation.board import Board
from quizzer.checker.derivation.derived import (
    By,
    Choice,
    Derive,
    Derived,
    Example,
    Said,
    Small,
)
from quizzer.checker.derivation.example import smallest
from quizzer.checker.derivation.lines import Lines
from quizzer.checker.derivation.look import seen
from quizzer.checker.derivation.nearby import names_in
from quizzer.checker.derivation.needs import Needs
from quizzer.checker.derivation.nodes import nodes_of, sought_by
from quizzer.checker.derivation.slopes import Key, Scene, Slope, toward
from quizzer.checker.derivation.values import Claim
from quizzer.checker.instance import Instance, Value
from quizzer.checker.meaning import Kind
from quizzer.checker.sheet import Sheet
from quizzer.notation.nodes import bare

_MOST_KEPT = 8
_KEPT: dict[object, tuple[Scene, ...]] = {}


def derive(request: Derive) -> Derived:
    """Every line worked out. Raises CheckerError."""
    with np.errstate(all="ignore"):
        lines = Lines(_board(request, scenes_of(request)))
        first = Choice((), request.upstream)
        lines.read(request.text, first, request.stated, request.differentials)
        by = [By(first, tuple(lines.known))]
        if request.every:
            others = (each for each in choices(lines.board, first) if each != first)
            by += [By(each, tuple(lines.again(each))) for each in others]
        found = seen(lines, request.look) if request.look is not None else None
        example = None if request.small is None else _example(request, request.small)
    needs = Needs(lines.board)
    return Derived(
        tuple(
            _said(claim, lines.board, *needs.of(claim, known))
            for claim, known in zip(lines.claims, lines.known, strict=True)
        ),
        tuple(by),
        tuple(lines.board.pairs),
        lines.board.number,
        found,
        example,
    )


def _example(request: Derive, small: Small) -> Example | None:
    """The smallest counter-example to a claim."""

    def work(instance: Instance) -> Lines:
        scenes = _scenes_of(replace(request, instances=(instance,)))
        lines = Lines(_board(request, scenes))
        lines.read(request.text, small.choice, request.stated, request.differentials)
        return lines

    return smallest(request.source, small, request.instances, work)


def _board(request: Derive, scenes: tuple[Scene, ...]) -> Board:
    return Board(request.sheet, scenes, request.sets, sought_by(request.source))


def scenes_of(request: Derive) -> tuple[Scene, ...]:
    """The instances as scenes, with the derivatives that were worked out there before.

    Raises CheckerError.
    """
    key = (request.source, tuple(map(_key, request.instances)))
    scenes = _KEPT.pop(key, None) or _scenes_of(request)
    _KEPT[key] = scenes
    while len(_KEPT) > _MOST_KEPT:
        del _KEPT[next(iter(_KEPT))]
    return scenes


def _key(instance: Instance) -> object:
    """What tells an instance from all others of its checker."""
    named = (*instance.inputs.items(), *instance.upstreams.items())
    return tuple(
        (name, value.dtype.str, value.shape, value.tobytes())
        if isinstance(value, np.ndarray)
        else (name, value)
        for name, value in named
    )


def _scenes_of(request: Derive) -> tuple[Scene, ...]:
    nodes, sought = nodes_of(request.source, request.instances[0]), sought_by(request.source)
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
        free = {name: values[name] for name in sought if name in values}
        slopes = dict(_certified(each, request.sheet))
        inputs, upstreams = dict(each.inputs), dict(each.upstreams)
        found.append(Scene(nodes, inputs, values, outputs, upstreams, free=free, slopes=slopes))
    return tuple(found)


def _certified(instance: Instance, sheet: Sheet) -> Iterator[tuple[Key, Slope | Exception]]:
    """The asked derivatives, which were certified with the instance.

    That toward a symmetric matrix is only a part of one.
    """
    for name, truth in instance.truths.items():
        meaning = sheet.meaning(name)
        if meaning.variable is None or meaning.variable in sheet.symmetric:
            continue
        slope = Slope(truth.value, truth.error)
        yield toward(meaning.variable, meaning.output or ""), slope


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


def _said(claim: Claim, board: Board, needs: tuple[str, ...], gives: str) -> Said:
    target = claim.target
    kind = "words" if claim.words else "unread" if target is None else target.kind
    if target is not None and claim.defines:
        kind = "definition"
    if claim.remark:
        kind = "remark"
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
        () if target is None or claim.reading is None else tuple(names_in(claim, target, board)),
        needs,
        gives,
        claim.unread,
        claim.code,
    )
