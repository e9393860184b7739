"""What got better in a session: what a learner did for the first time, or never did so well."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct

from quizzer.deck import Asking, Entry
from quizzer.session.asked import Rated
from quizzer.store import Store
from quizzer.values import Event, Form, Rating, Reset, Review, State

LONG = 7
"""Days after which it is worth saying that a card was never remembered for so long."""


class Gain(StrEnum):
    """In which way a card went better than ever."""

    FROM_BLANK = "right from a blank page for the first time"
    LONGER = "remembered for longer than ever before"


class Better(Struct, frozen=True):
    """A card that went better than ever."""

    entry: Entry
    gain: Gain
    days: int = 0
    """For how long it was remembered."""


def got_better(ratings: Sequence[Rated], store: Store) -> Iterator[Better]:
    """The cards that went better than ever, each once."""
    if not ratings:
        return
    undone, found = store.undone_ids(), set[str]()
    for rated in ratings:
        entry = rated.asked.turn.entry
        if entry.id in found:
            continue
        standing = [
            event
            for event in store.events(entry.id, kinds=(Review, Reset))
            if event.id not in undone and event.id <= rated.event
        ]
        if better := _better(entry, _since_new(standing)):
            found.add(entry.id)
            yield better


def _since_new(events: Sequence[Event]) -> list[tuple[int, Review]]:
    """The day of each review since the card was new."""
    reviews = list[tuple[int, Review]]()
    for event in events:
        if isinstance(event.fact, Review):
            reviews.append((event.day, event.fact))
        else:
            reviews.clear()
    return reviews


def _better(entry: Entry, reviews: Sequence[tuple[int, Review]]) -> Better | None:
    """What the last of these reviews did that none before it had done."""
    if not reviews:
        return None
    _, last = reviews[-1]
    derived = entry.asking in (Asking.CHECKER, Asking.REVEAL)
    if derived and _right(reviews) == [len(reviews) - 1]:
        return Better(entry, Gain.FROM_BLANK)
    spans = [
        day - before
        for (before, _), (day, review) in pairwise(reviews)
        if review.rating is not Rating.AGAIN
    ]
    if last.rating is Rating.AGAIN or last.state is not State.REVIEW or not spans:
        return None
    *shorter, days = spans
    longest = days >= LONG and days > max(shorter, default=0)
    return Better(entry, Gain.LONGER, days) if longest else None


def _right(reviews: Sequence[tuple[int, Review]]) -> list[int]:
    """The reviews in which the card was known on a blank page, and its solution not read before on
    the same day."""
    return [
        place
        for place, (day, review) in enumerate(reviews)
        if review.form is Form.BLANK
        and review.rating >= Rating.GOOD
        and not (place and reviews[place - 1][0] == day)
    ]
