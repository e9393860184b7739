"""Branches that a checker's samples reach too seldom, for its author."""

from collections.abc import Iterator

from quizzer.checker.flaw import Flaw
from quizzer.checker.requests import BRANCH_JOIN, OF_CODE, Scouted

_RARE = 0.02


def rare_branches(scouted: Scouted) -> Iterator[Flaw]:
    """A warning for each branch that fewer than one draw in fifty reaches, and an error for a draw
    that fails."""
    if scouted.fault is not None:
        yield Flaw("draw-fails", f"Of {scouted.drawn} samples one fails, {scouted.fault}")
    for name, reached in scouted.branches.items():
        if BRANCH_JOIN not in name and 0 < reached.count < _RARE * scouted.drawn:
            yield Flaw(
                "rare-branch",
                f"Only {reached.count} of {scouted.drawn} samples reach a branch: "
                f"{name.partition(OF_CODE)[0]}. Draw it more often.",
                error=False,
            )
