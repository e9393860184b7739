"""A checklist as learners go through it: what they had of a solution that nothing judges."""

from collections.abc import Sequence

from quizzer.card.checklist import Item
from quizzer.values import Rating

MOST_OF_IT = 0.75
"""The share of a checklist's points from which a solution counts as known, with effort."""


def earned(items: Sequence[Item], ticks: Sequence[bool]) -> tuple[float, float] | None:
    """The points that were had, and of how many; None until every item is ticked."""
    if not items or len(ticks) < len(items):
        return None
    had = sum(item.points for item, tick in zip(items, ticks, strict=True) if tick)
    return had, sum(item.points for item in items)


def suggested(points: tuple[float, float]) -> Rating:
    """All points are Good, three quarters of them Hard."""
    had, possible = points
    if had == possible:
        return Rating.GOOD
    return Rating.HARD if had >= MOST_OF_IT * possible else Rating.AGAIN
