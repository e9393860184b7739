"""A card's sheet, proven where checkers run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quizzer.card import Card
from quizzer.checker.derivation.derive import Derive, Derived
from quizzer.checker.remote import RemoteChecker
from quizzer.checker.stages import Failed
from quizzer.form.problems import Problems, problems_of
from quizzer.form.sheet import Sheet, sheet_of
from quizzer.judge.source import stated_in

if TYPE_CHECKING:
    from quizzer.checker.posed import Posed

FEW = 4
"""Instances of each seed."""


class NotProvenError(Exception):
    """The lines could not be worked out in time, which is no fault of the checker."""


def proven(checker: RemoteChecker, card: Card, seeds: Sequence[int]) -> tuple[Sheet, Problems]:
    """The sheet and the problems of these seeds.

    Raises CheckerBroken, NotProvenError, and SandboxError where no process can be started.
    """
    posed: list[Posed] = [checker.pose(seed, FEW) for seed in seeds]

    def derive(request: Derive) -> Derived:
        derived = checker.derive(request)
        if isinstance(derived, Failed):
            raise NotProvenError(derived.message)
        return derived

    problems = problems_of(checker.source, posed, checker.sets, stated_in(card), derive)
    return sheet_of(card, posed[0].sheet.right, problems), problems
