"""What the log says of each card: a pure fold over its events, those undone left out."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from quizzer.fsrs.scheduler import remember
from quizzer.fsrs.step import DEFAULT_PARAMETERS, SHORT_SHARE, Parameters
from quizzer.values import (
    UNSEEN,
    Bury,
    Event,
    Flag,
    Form,
    Progress,
    Reset,
    Review,
    Suspend,
    Undo,
    Unsuspend,
)

VERSION = 1
"""Grows when the fold begins to say something else of the same events: memory is then rebuilt."""


def fold(
    events: Sequence[Event],
    undone: frozenset[str],
    parameters: Parameters = DEFAULT_PARAMETERS,
) -> dict[str, Progress]:
    """The progress of every card that differs from an unseen one; events in order of their ids."""
    cards: dict[str, Progress] = {}
    for event in events:
        if event.id not in undone:
            card = event.fact.card
            cards[card] = apply(cards.get(card, UNSEEN), event, parameters)
    return {card: progress for card, progress in cards.items() if progress != UNSEEN}


def undone_ids(events: Iterable[Event]) -> frozenset[str]:
    """The ids of events that were taken back. An undo is final: it is not undone itself."""
    return frozenset(event.fact.event for event in events if isinstance(event.fact, Undo))


def apply(
    progress: Progress, event: Event, parameters: Parameters = DEFAULT_PARAMETERS
) -> Progress:
    """The card's progress after one more event that was not undone."""
    match event.fact:
        case Review(rating=rating, interval=interval, form=form):
            share = 1.0 if form is Form.BLANK else SHORT_SHARE
            memory = remember(
                progress.memory, rating, interval, event.at, event.day, parameters, share
            )
            return replace(progress, memory=memory)
        case Suspend():
            return replace(progress, suspended=True)
        case Unsuspend():
            return replace(progress, suspended=False)
        case Bury():
            return replace(progress, buried_on=event.day)
        case Flag(on=on):
            return replace(progress, flagged=on)
        case Reset():
            return replace(progress, memory=None)
    return progress
