"""How well one card was remembered over time, as its reviews tell it. Pure."""

from collections.abc import Collection, Iterable
from itertools import accumulate

from msgspec import Struct

from quizzer.fsrs.step import DEFAULT_PARAMETERS, Parameters, recall_after
from quizzer.store.fold import apply
from quizzer.values import UNSEEN, Event, Reset, Review


class Recall(Struct, frozen=True):
    """The chance of recall at evenly spaced moments from the first review to the last day asked."""

    first_day: int
    last_day: int
    values: tuple[float, ...]
    reviews: tuple[tuple[int, Review], ...]
    """The place among the values at which each review was."""


def recall(
    events: Iterable[Event],
    undone: Collection[str],
    last_day: int,
    points: int,
    parameters: Parameters = DEFAULT_PARAMETERS,
) -> Recall | None:
    """The card's curve in `points` values; None for a card that was never reviewed.

    The events are in the order in which they were made. Where the clock went back between two,
    no time has passed, as in the memory.
    """
    standing = [
        event
        for event in events
        if event.id not in undone and isinstance(event.fact, Review | Reset)
    ]
    days = list(accumulate((event.day for event in standing), max))
    reviewed = [
        (day, event.fact)
        for day, event in zip(days, standing, strict=True)
        if isinstance(event.fact, Review)
    ]
    if not reviewed:
        return None
    first, last = reviewed[0][0], max(last_day, reviewed[-1][0] + 1)
    step = (last - first) / max(1, points - 1)
    values = []
    progress, position = UNSEEN, 0
    for place in range(points):
        day = first + place * step
        while position < len(standing) and days[position] <= day:
            progress = apply(progress, standing[position], parameters)
            position += 1
        memory = progress.memory
        values.append(
            recall_after(memory.stability, day - memory.day, parameters) if memory else 0.0
        )
    places = tuple(
        (min(points - 1, round((day - first) / step)), review) for day, review in reviewed
    )
    return Recall(first, last, tuple(values), places)
