"""The reviews that stand, those taken back left out, and what they tell of days and of times."""

from dataclasses import dataclass

from quizzer.store import log
from quizzer.store.codec import UnreadableError, credible, seconds_of
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError
from quizzer.store.reviewed import short
from quizzer.values import Rating, Review, State

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


def answer_times(
    connection: Connection, most: int, card: str | None = None
) -> list[tuple[str, float]]:
    """Card and seconds of so many newest reviews, if they stand, were timed and rated Good or Easy.

    Of one card, or of all.
    """
    undone = log.undone(connection)
    where, parameters = (_NEWEST, ()) if card is None else ("kind = 'review' AND card = ?", (card,))
    found = log.rows(connection, where, *parameters, order=f"id DESC LIMIT {most}")
    try:
        told = [(row.card, short(row)) for row in found if row.id not in undone]
    except UnreadableError as error:
        raise StoreDamagedError.at(connection.path, str(error)) from error
    return [
        (of, seconds)
        for of, review in told
        if review["rating"] >= Rating.GOOD
        and (seconds := credible(review.get("seconds"))) is not None
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
