"""The reviews that stand, those taken back left out, and what they tell of days and of times."""

from collections.abc import Collection
from dataclasses import dataclass

from quizzer.review import Event, Rating, Review, State
from quizzer.store import log
from quizzer.store.codec import UnreadableError, seconds_of
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError

_NEWEST = "kind || '' = 'review'"
"""With the kind bare, SQLite would take its index and sort all reviews there are."""


@dataclass(frozen=True, slots=True)
class Done:
    """The ids of the cards met on a study day: for the first time, and again."""

    new: frozenset[str] = frozenset()
    reviews: frozenset[str] = frozenset()
    seconds: float = 0.0
    """What all ratings of the day took, as far as they were timed, steps too."""


def done(connection: Connection, day: int) -> Done:
    """The cards reviewed on a study day, each once: new that day, or else known before."""
    new, known = set[str](), set[str]()
    seconds = 0.0
    undone = log.undone(connection)
    for event, review in log.reviews(connection, "day = ?", day):
        if event.id not in undone:
            seconds += review.seconds or 0.0
            if review.state is State.NEW:
                new.add(review.card)
            elif review.state is State.REVIEW:
                known.add(review.card)
    return Done(frozenset(new), frozenset(known - new), seconds)


def newest_reviews(connection: Connection, most: int) -> list[Review]:
    """Of so many newest reviews those that stand, newest first."""
    undone = log.undone(connection)
    found = log.rows(connection, _NEWEST, order=f"id DESC LIMIT {most}")
    return [
        event.fact
        for event in log.events_of(connection, found)
        if isinstance(event.fact, Review) and event.id not in undone
    ]


def answer_seconds(connection: Connection, cards: Collection[str], most: int) -> list[float]:
    """Seconds that reviews of these cards took which stand and were rated Good or Easy.

    Of so many newest reviews of theirs.
    """
    undone = log.undone(connection)
    found = list[tuple[Event, Review]]()
    for some in log.in_parts(cards):
        among = f"card IN ({', '.join('?' * len(some))})"
        found += log.reviews(connection, among, *some, order=f"id DESC LIMIT {most}")
    newest = sorted(found, key=lambda pair: pair[0].id, reverse=True)[:most]
    return [
        review.seconds
        for event, review in newest
        if event.id not in undone and review.rating >= Rating.GOOD and review.seconds is not None
    ]


def times(connection: Connection, most: int) -> list[tuple[str, float]]:
    """Card and seconds of so many newest reviews, if they stand and were timed; no steps."""
    undone = log.undone(connection)
    newest = f"SELECT id, card, body FROM events WHERE {_NEWEST} ORDER BY id DESC LIMIT ?"
    try:
        timed = [
            (event, card, seconds_of(body))
            for event, card, body in connection.read(newest, (most,))
        ]
    except UnreadableError as error:
        raise StoreDamagedError.at(connection.path, str(error)) from error
    return [
        (card, seconds)
        for event, card, seconds in timed
        if seconds is not None and event not in undone
    ]
