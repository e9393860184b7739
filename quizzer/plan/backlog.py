"""A backlog, as after a holiday: more is due than fits into a day, and what waiting costs. Pure.

The queue takes the earliest due day first. Under a tight budget that order keeps as much recall as
the one with the largest expected gain, a little more than the order overdue in proportion, and
clearly more than the most or the least retrievable first (see `benchmarks/backlog.py`).
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from quizzer.deck import Entry
from quizzer.fsrs.step import Parameters, recall_after
from quizzer.plan.pace import Pace
from quizzer.values import Memory, Progress

MANY_DAYS = 2
"""From so many days' work on, what is due is a backlog."""


class Backlog(Struct, frozen=True):
    """Cards due, those that today takes, and what it costs if the others wait until they fit."""

    due: int
    minutes: float
    """For all that are due."""
    today: int
    days: int
    """Until the last of them fits."""
    forgotten: float
    """How many more of them are then expected to be forgotten than today."""
    for_exam: bool = False
    """Whether an exam soon says which come first, and not how long they have waited."""


def backlog(
    due: Sequence[Entry],
    today: Sequence[Entry],
    per_day: int,
    progress: Mapping[str, Progress],
    pace: Pace,
    day: int,
    parameters: Parameters,
    for_exam: bool = False,
) -> Backlog | None:
    """The backlog of a queue, of which a whole day takes `per_day` cards; None if it is none.

    Cards that fall due meanwhile come after those that wait: they have the later day.
    """
    # New cards toward an exam may fill a whole day, and today still have room for reviews.
    per_day = max(per_day, len(today))
    if not today or len(due) <= MANY_DAYS * per_day:
        return None
    now = {entry.id for entry in today}
    waiting = [entry for entry in due if entry.id not in now]
    forgotten = 0.0
    for place, entry in enumerate(waiting):
        if memory := progress[entry.id].memory:
            taken = day + 1 + place // per_day
            forgotten += _recall(memory, day, parameters) - _recall(memory, taken, parameters)
    days = -(-len(waiting) // per_day)
    return Backlog(len(due), pace.total(due), len(today), days, forgotten, for_exam)


def _recall(memory: Memory, day: int, parameters: Parameters) -> float:
    return recall_after(memory.stability, day - memory.day, parameters)
