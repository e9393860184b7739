"""Which derivatives and asked names the lines of a derivation use, and which they give.

Runs only inside a sandboxed process.
"""

from collections.abc import Iterator, Sequence

from quizzer.checker.derivation.board import Board, Made, used_in
from quizzer.checker.derivation.values import Claim, Target
from quizzer.notation.nodes import Element, Group, Name, Node
from quizzer.notation.partials import LOSS


class Needs:
    """What the claims of a derivation need and give; they are asked in their order."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._own: dict[str, str] = {}
        """The learner's names above, and what each is about: itself, or the derivative that it is
        a name for."""

    def of(self, claim: Claim) -> tuple[tuple[str, ...], str]:
        """What the right side needs that somebody has to work out, and what the claim gives."""
        target, reading = claim.target, claim.reading
        if target is None or reading is None:
            return (), ""
        needs = tuple(dict.fromkeys(self._needed(used_in(reading), target)))
        if claim.defines:
            is_name_for = len(needs) == 1 and _named(reading.steps[-1].node) is not None
            self._own[target.name] = needs[0] if is_name_for else target.name
        return needs, self._own.get(target.name, target.name)

    def _needed(self, used: Sequence[str], target: Target) -> Iterator[str]:
        board = self._board
        for name in used:
            derivative = board.arrays.get(name)
            if isinstance(derivative, Made):
                if derivative.over is not None:
                    yield f"∂/∂{derivative.over}"
                yield from self._needed(used_in(derivative.reading), target)
            elif derivative is not None:
                top = derivative.top.name
                yield f"∂{'L' if top == LOSS else top}/∂{derivative.over.name}"
            elif name in board.scenes[0].values:
                if name in self._own or name in board.sheet.asked:
                    yield name
            elif name[:1] == "d" and name[1:] in board.moving and not target.way:
                yield f"∂L/∂{name[1:]}"


def _named(node: Node) -> str | None:
    """The name that a right side is, with or without indices; None if it is more."""
    while isinstance(node, Group | Element):
        node = node.inner if isinstance(node, Group) else node.base
    return node.name if isinstance(node, Name) else None
