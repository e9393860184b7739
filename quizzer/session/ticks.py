"""A checklist as learners go through it: what they had of a solution that nothing judges."""

from collections.abc import Sequence
from typing import NamedTuple

from quizzer.card.checklist import Item
from quizzer.values import Rating

MOST_OF_IT = 0.75
"""The share of a checklist's points from which a solution counts as known, with effort."""


class Earned(NamedTuple):
    """The points that learners had, and of how many."""

    had: float
    possible: float

    @property
    def share(self) -> float:
        return self.had / self.possible

    @property
    def suggested(self) -> Rating:
        """All points are Good, three quarters of them Hard."""
        if self.had == self.possible:
            return Rating.GOOD
        return Rating.HARD if self.share >= MOST_OF_IT else Rating.AGAIN


def earned(items: Sequence[Item], ticks: Sequence[bool]) -> Earned | None:
    """What was had of these items; None until every one is ticked."""
    if not items or len(ticks) < len(items):
        return None
    had = sum(item.points for item, tick in zip(items, ticks, strict=True) if tick)
    return Earned(had, sum(item.points for item in items))
