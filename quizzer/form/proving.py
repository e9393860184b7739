"""A card's sheet, proven where checkers run."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.card import Card
from quizzer.card.stated import stated_in
from quizzer.checker.derivation.derived import Derive, Derived
from quizzer.checker.remote import CheckerBroken, RemoteChecker
from quizzer.checker.stages import Failed
from quizzer.form.problems import Problems, problems_of
from quizzer.form.sheet import ENOUGH, Sheet, sheet_of, sheet_of_own
from quizzer.judge.source import UnreadableChecker
from quizzer.sandbox.launch import SandboxError

if TYPE_CHECKING:
    from quizzer.checker.posed import Posed

SEEDS = (0, 1, 2)
"""Of the problems on which lines are proven."""
FEW = 4
"""Instances of each seed."""
FURTHER = (101, 102, 103, 104, 105, 106)
"""Seeds on which a slip must be false too, once it was false on those of the lines."""


class NotProvenError(Exception):
    """The lines could not be worked out in time, which is no fault of the checker."""


CANNOT_PROVE = (CheckerBroken, NotProvenError, UnreadableChecker, SandboxError)
"""What is raised where lines cannot be proven; the blank page tells about a broken checker."""


def proven(
    checker: RemoteChecker, card: Card, seeds: Sequence[int], own: str = ""
) -> tuple[Sheet, Problems]:
    """The sheet and the problems of these seeds; the sheet of the learner's own derivation, if it
    has enough lines.

    Raises CheckerBroken, NotProvenError, and SandboxError where no process can be started.
    """
    posed: list[Posed] = [checker.pose(seed, FEW) for seed in seeds]

    def derive(request: Derive) -> Derived:
        derived = checker.derive(request)
        if isinstance(derived, Failed):
            raise NotProvenError(derived.message)
        return derived

    def on(posed: Sequence["Posed"]) -> Problems:
        return problems_of(checker.source, posed, checker.sets(), stated_in(card), derive)

    @cache
    def further() -> Problems:
        return on([checker.pose(seed, FEW) for seed in FURTHER])

    problems = replace(on(posed), further=further)
    if own and len((sheet := sheet_of_own(own, card, problems)).lines) >= ENOUGH:
        return sheet, problems
    return sheet_of(card, posed[0].sheet.right, problems), problems
