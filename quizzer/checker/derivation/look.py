"""A look at a wrong claim: what its summands contribute, and which one change makes it right.

The change may be in the wrong line, or in a right one of the same left side that it makes the wrong
one of. Runs only inside a sandboxed process.
"""

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from msgspec.structs import replace

from quizzer.checker.derivation import equations, objectives
from quizzer.checker.derivation.board import Board, Made, used_in
from quizzer.checker.derivation.derived import Choice, Known, Look, Mend, Part, Seen
from quizzer.checker.derivation.lines import Lines
from quizzer.checker.derivation.nearby import (
    FAULTS,
    Other,
    Take,
    lines_like,
    of_card,
    vocabulary,
    written,
)
from quizzer.checker.derivation.slopes import Scene
from quizzer.checker.derivation.values import Claim
from quizzer.checker.derivative import Array
from quizzer.notation import Invalid, Reading
from quizzer.notation.additions import enlarged
from quizzer.notation.changes import Change, Changed, Vocabulary, mended, summands
from quizzer.notation.nodes import (
    Element,
    Group,
    Name,
    Node,
    Transpose,
    bare,
)

_PATIENCE = 0.3
"""Processor time in seconds for one kind of change: what is wrong is told without it too."""
_MOST_PARTS = 12
_MOST_MENDED = 500
_MOST_ENLARGED = 700
_MOST_OF_OTHERS = 250
_MOST_OTHERS = 3


def seen(lines: Lines, look: Look) -> Seen:
    """What is to be seen of a wrong claim."""
    claim, known = lines.claims[look.claim], lines.known[look.claim]
    if claim.reading is None or claim.target is None or known is None:
        return Seen()
    if not claim.reading.steps or claim.unknown is not None:
        return Seen()
    lines.board.steered = claim.steered
    eye = _Eye(lines.board, claim, known, look.choice)
    with suppress(*FAULTS):
        eye.open()
        others = [*lines_like(lines, look.claim), *of_card(claim, lines.board)][:_MOST_OTHERS]
        lost = _lost(others, eye)
        if lost is not None:
            return Seen((), lost)
        return Seen(tuple(_parts(eye)), _mend(others, vocabulary(lines, claim, eye.envs[0]), eye))
    return Seen()


@dataclasses.dataclass
class _Eye:
    """The wrong claim with all it takes to try another tree in its place."""

    board: Board
    claim: Claim
    known: Known
    choice: Choice
    scenes: list[Scene] = dataclasses.field(default_factory=list)
    envs: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    order: list[int] = dataclasses.field(default_factory=list)

    def open(self) -> None:
        """Work out the names on every instance. Raises one of the faults."""
        assert self.claim.reading is not None and self.claim.target is not None
        board, way = self.board, self.claim.target.way
        if self.claim.target.kind == "equation":
            board.scenes = equations.scenes_for(self.claim.reading, board)
        else:
            board.scenes = objectives.away(self.claim.target, board) or board.scenes
        self.scenes = board.scenes
        count = len(board.scenes)
        self.envs = [board.env(self.claim.reading, i, self.choice, way) for i in range(count)]
        for name, array in board.arrays.items():
            if not isinstance(array, Made):
                with suppress(*FAULTS):
                    pair = array.top.name, array.over.name
                    for i, env in enumerate(self.envs):
                        env.setdefault(name, board.derivative(pair, i, self.choice)[0])
        sizes = [sum(np.size(value) for value in env.values()) for env in self.envs]
        self.order = sorted(range(count), key=sizes.__getitem__)
        if len(self.known.values) != count:
            raise ValueError("this is not known on every instance")

    @property
    def node(self) -> Node:
        assert self.claim.reading is not None
        return self.claim.reading.steps[-1].node

    def value(self, node: Node, i: int) -> Array:
        """What another tree gives on one instance. Raises ValueError."""
        assert self.claim.reading is not None
        return self._value(_with(self.claim.reading, node), i)

    def _value(self, reading: Reading, i: int, fits: bool = True) -> Array:
        shape = self.known.truths[i].shape if fits else None
        value = reading.evaluate(self.envs[i], shape)
        if isinstance(value, Invalid):
            raise ValueError(value.message)
        return np.asarray(value, float)

    def makes(self, other: Other, node: Node) -> bool:
        """Whether another way to write the left side, changed to this, is the wrong line."""
        return self._gives(_with(other.reading, node), self.known.values, None, other.take)

    def _gives(
        self,
        reading: Reading,
        wanted: Sequence[Array],
        errors: Sequence[Array] | None = None,
        take: Take | None = None,
    ) -> bool:
        """Whether it gives this on every instance; the smallest is tried first."""
        for i in self.order:
            try:
                value = self._value(reading, i, take is None)
                value = value if take is None else take(value)
            except (*FAULTS, IndexError):
                return False
            size = float(np.max(np.abs(wanted[i]), initial=0.0))
            bound = 1e-6 * size + 1e-12 + (0.0 if errors is None else 3 * errors[i])
            if value.shape != wanted[i].shape or not (np.abs(value - wanted[i]) <= bound).all():
                return False
        return True

    def is_right(self, node: Node) -> bool:
        """Whether the claim is right with this tree."""
        reading, target = self.claim.reading, self.claim.target
        assert reading is not None and target is not None
        changed = _with(reading, node)
        if not self._gives(changed, self.known.truths, self.known.errors):
            return False
        if target.kind != "equation":
            return True
        about = {*self.board.optima, *self.board.optima.values(), *self.board.sheet.asked}
        if about.isdisjoint(used_in(changed)) and not about.isdisjoint(used_in(reading)):
            return False
        with suppress(*FAULTS):
            found = equations.worked_out(changed, self.board, self.choice, target.way, None)
            pairs = zip(found.values, found.errors, strict=True)
            return all((np.abs(value) <= 3 * error).all() for value, error in pairs)
        return False


def _with(reading: Reading, node: Node) -> Reading:
    step = dataclasses.replace(reading.steps[-1], node=node, source=None)
    return dataclasses.replace(reading, steps=(*reading.steps[:-1], step), others=())


def _parts(eye: _Eye) -> Iterator[Part]:
    """The summands whose contribution may have another factor."""
    found = list(islice(summands(eye.node), _MOST_PARTS))
    if eye.claim.target and eye.claim.target.kind == "equation":
        found = found[:0:-1]  # of two sides, the right one is looked at first
    for summand in found:
        values, wanted = [], []
        with suppress(*FAULTS):
            for i, (value, truth) in enumerate(
                zip(eye.known.values, eye.known.truths, strict=True)
            ):
                rest = eye.value(summand.without, i)
                values.append(np.asarray(value - rest))
                wanted.append(np.asarray(truth - rest))
            yield Part(written(bare(summand.term), eye.board), tuple(values), tuple(wanted))


def _lost(others: Sequence[Other], eye: _Eye) -> Mend | None:
    """A summand of another way to write the left side without which it is the wrong line."""
    for other in others:
        for summand in summands(other.node):
            if not summand.is_all and eye.makes(other, summand.without):
                return Mend(
                    Change.TERM.value, written(bare(summand.term), eye.board), line=other.line or 0
                )
    return None


def _mend(others: Sequence[Other], known: Vocabulary, eye: _Eye) -> Mend | None:
    found = _first(mended(eye.node, known), _MOST_MENDED, eye.node, eye.is_right)
    if found is not None:
        return _shown(found, eye)
    for other in others:
        step = other.reading.steps[-1]
        changes = mended(step.node, replace(known, whole=step.whole, letters=step.letters))
        found = _first(changes, _MOST_OF_OTHERS, step.node, partial(eye.makes, other))
        if found is not None:
            return replace(_shown(found, eye), line=other.line or 0)
    way = _way(eye)
    if way is not None:
        return Mend(Change.TERM.value, "", way=way)
    found = _first(enlarged(eye.node, known), _MOST_ENLARGED, eye.node, eye.is_right)
    if found is None:
        return None
    return replace(_shown(found, eye), added=found.change is not Change.NAME)


def _way(eye: _Eye) -> str | None:
    """A name by way of which the left side depends on what it is the derivative with respect to,
    and whose term the wrong line lacks."""
    target, board = eye.claim.target, eye.board
    if target is None or target.take is None or target.ends is None:
        return None
    top, over = target.ends
    scene = board.scenes[0]
    pairs = zip(eye.known.values, eye.known.truths, strict=True)
    if all(np.max(np.abs(a), initial=0) <= 1e-9 * np.max(np.abs(b), initial=0) for a, b in pairs):
        return None
    for name in board.moving:
        if name in (top, over) or not scene.contains(name, over):
            continue
        with suppress(*FAULTS):
            if all(
                np.allclose(target.take(_term_by(name, eye, i)), missing, 1e-6, 1e-9)
                for i in eye.order
                if (missing := eye.known.truths[i] - eye.known.values[i]).any()
            ):
                return name
    return None


def _term_by(name: str, eye: _Eye, i: int) -> Array:
    """What comes by way of one name: its own derivative, with all others held."""
    assert eye.claim.target is not None and eye.claim.target.ends is not None
    top, over = eye.claim.target.ends
    outer = eye.board.derivative((top, name), i, eye.choice, total=True)[0]
    inner = eye.board.scenes[i].slope(name, over, direct=True).value
    axes = np.ndim(eye.board.scenes[i].values[name])
    found: Array = np.tensordot(outer, inner, axes) if axes else np.multiply.outer(outer, inner)
    return found


def _shown(found: Changed, eye: _Eye) -> Mend:
    return Mend(found.change.value, written(found.was, eye.board), written(found.within, eye.board))


def _first(
    changes: Iterator[Changed], most: int, node: Node, fits: Callable[[Node], bool]
) -> Changed | None:
    end = time.process_time() + _PATIENCE
    for changed in islice(changes, most):
        if time.process_time() > end:
            return None
        alone = changed.change is Change.NAME and _is_alone(changed.node, node)
        if not alone and fits(changed.node):
            return changed
    return None


def _is_alone(node: Node, before: Node) -> bool:
    """Whether the tree became a mere name: every name would do that has the value."""
    return _is_name(node) and not _is_name(before)


def _is_name(node: Node) -> bool:
    while isinstance(node, Group | Transpose):
        node = node.base if isinstance(node, Transpose) else node.inner
    return isinstance(node, Name | Element)
