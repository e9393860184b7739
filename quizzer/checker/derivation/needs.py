"""Which derivatives and asked names the lines of a derivation use, and which they give.

Runs only inside a sandboxed process.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from quizzer.checker.derivation.board import Board, Made, used_in
from quizzer.checker.derivation.derived import Known
from quizzer.checker.derivation.values import Claim, Target
from quizzer.notation import Reading
from quizzer.notation.grammar.derivation import IN_PART
from quizzer.notation.grammar.partials import LOSS
from quizzer.notation.nodes import Element, Group, Letter, Name, Node, walk


class Needs:
    """What the claims of a derivation need and give; they are asked in their order."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._own: dict[str, str] = {}
        """The learner's names above, and what each is about: itself, or the derivative that it is
        a name for."""

    def of(self, claim: Claim, known: Known | None) -> tuple[tuple[str, ...], str]:
        """What the right side needs that somebody has to work out, and what the claim gives."""
        target, reading = claim.target, claim.reading
        if target is None or reading is None:
            return (), ""
        needs = tuple(dict.fromkeys(self._needed(reading, target)))
        if len(needs) == 1 and _is_name(reading.steps[-1].node):
            if claim.defines or target.name in self._own:
                self._own[target.name] = needs[0]
        elif claim.defines:
            self._own[target.name] = target.name
        gives = self._own.get(target.name, target.name)
        if self._is_whole(target, known):
            return needs, gives
        one = "" if target.letters else " at one entry"
        return needs, gives + one + IN_PART

    def _is_whole(self, target: Target, known: Known | None) -> bool:
        """Whether the left side has all entries of what it is about."""
        names = target.ends or ((target.base,) if target.base else ())
        values = self._board.scenes[0].values
        axes = sum(np.ndim(values[name]) for name in names if name != LOSS)
        return not names or known is None or known.truths[0].ndim == axes

    def _needed(self, reading: Reading, target: Target) -> Iterator[str]:
        board, parts = self._board, _used_in_part(reading)
        for name in used_in(reading):
            part = IN_PART if name in parts else ""
            derivative = board.arrays.get(name)
            if isinstance(derivative, Made):
                if derivative.over is not None:
                    yield f"∂/∂{derivative.over}"
                yield from self._needed(derivative.reading, target)
            elif derivative is not None:
                top = derivative.top.name
                yield f"∂{'L' if top == LOSS else top}/∂{derivative.over.name}{part}"
            elif name in board.scenes[0].values:
                if name in self._own or name in board.sheet.asked:
                    yield name
            elif name[:1] == "d" and name[1:] in board.moving and not target.way:
                yield f"∂L/∂{name[1:]}{part}"


def _is_name(node: Node) -> bool:
    """Whether a right side is one name, with or without indices."""
    while isinstance(node, Group | Element):
        node = node.inner if isinstance(node, Group) else node.base
    return isinstance(node, Name)


def _used_in_part(reading: Reading) -> set[str]:
    """The names that have a letter twice, or a number, wherever they are used."""
    nodes = [node for step in reading.steps for node in walk(step.node)]
    used = Counter(node.name for node in nodes if isinstance(node, Name))
    in_part = Counter(
        node.base.name
        for node in nodes
        if isinstance(node, Element) and isinstance(node.base, Name) and _is_part(node)
    )
    return {name for name, count in in_part.items() if count == used[name]}


def _is_part(element: Element) -> bool:
    letters = [index.letter for index in element.indices if isinstance(index, Letter)]
    return len(set(letters)) < len(element.indices)
