"""The reviews that were not undone, and what they say of days and of times."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from quizzer.store import kept_reviews, log
from quizzer.store.codec import FORMS, credible, review_body, seconds_of
from quizzer.store.connection import Connection
from quizzer.store.kept_reviews import Kept, Stamp
from quizzer.store.layout import RawRow, id_of, kept_id
from quizzer.store.pages import Histories, bodies, brief_bodies
from quizzer.store.review_columns import ReviewColumns
from quizzer.values import Form, Rating, Review, State

_NEWEST = "kind = 'review'"
_SHORT = """kind = 'review' AND body LIKE '%"form"%'"""
_TOLD = """kind = 'review' AND (body LIKE '%"form"%' OR body LIKE '%"bare"%')"""
_OF_BRIEF = "kind IN ('review', 'reset')"
_BRIEF = "id, kind, day, card, body"


class Done(Struct, frozen=True):
    """The ids of the cards met on a study day: for the first time, and again."""

    new: frozenset[str] = frozenset()
    reviews: frozenset[str] = frozenset()
    seconds: float = 0.0
    """What all ratings of the day took, as far as they were timed, learning steps included."""


class Entered(Struct, frozen=True):
    """The form of a review, and what came of it."""

    form: Form
    rating: int
    interval: int
    seconds: float | None
    bare: bool = False
    """Whether it was right by its results alone."""


def done(connection: Connection, day: int) -> Done:
    """The cards reviewed on a study day, each once: new that day, or else known before."""
    new, known = set[str](), set[str]()
    seconds = 0.0
    undone = log.undone(connection)
    for event, review in log.reviews_of_day(connection, day):
        if event.id not in undone:
            seconds += review.seconds or 0.0
            if review.state is State.NEW:
                new.add(review.card)
            elif review.state is State.REVIEW:
                known.add(review.card)
    return Done(frozenset(new), frozenset(known - new), seconds)


def days(connection: Connection) -> frozenset[int]:
    """The study days with reviews."""
    of_day = "SELECT day, COUNT(*) FROM events WHERE kind = 'review'"
    counted = Counter(dict(connection.read(f"{of_day} GROUP BY day")))
    for some in log.in_parts(log.undone(connection)):
        among = f"id IN ({', '.join('?' * len(some))})"
        ids = [*map(kept_id, some)]
        counted.subtract(dict(connection.read(f"{of_day} AND {among} GROUP BY day", ids)))
    return frozenset(day for day, reviews in counted.items() if reviews > 0)


def brief(connection: Connection, cache: Path | None = None) -> ReviewColumns:
    """All reviews, oldest first: quick in a long log, and more so with a folder `cache`.

    Raises StoreDamagedError for a review that cannot be read; what was read of it before still
    holds.
    """
    undone = log.undone(connection)
    if cache is None:
        return _all(connection, undone, None).columns
    file = kept_reviews.file_of(cache, connection.path)
    kept = kept_reviews.read(file, connection, undone)
    before = len(kept.columns) if kept else 0
    newest = log.newest_id(connection)
    stamp = Stamp.of(connection, newest, undone) if newest else None
    found = _all(connection, undone, kept)
    if stamp and len(found.columns) - before >= kept_reviews.MANY:
        # Others may have written meanwhile.
        same = log.newest_id(connection) == newest
        if same and stamp == Stamp.of(connection, stamp.newest, log.undone(connection)):
            kept_reviews.write(file, Kept(stamp, *found))
    return found.columns


class _Read(NamedTuple):
    columns: ReviewColumns
    histories: Histories


def _all(connection: Connection, undone: frozenset[str], kept: Kept | None) -> _Read:
    """All reviews but those taken back, of which some may be known already."""
    histories = kept.histories if kept else Histories()
    found = kept.columns if kept else ReviewColumns(histories.cards)
    after = kept.stamp.newest if kept else None
    gone = frozenset(map(kept_id, undone))
    with log.explained(connection):
        for page in log.kept_pages(connection, _OF_BRIEF, after, _BRIEF):
            rows = [row for row in page if row[0] not in gone] if gone else page
            kinds, cards = [row[1] for row in rows], [row[3] for row in rows]
            found.history.fromlist(histories.follow(kinds, cards))
            if "reset" in kinds:
                rows = [row for row in rows if row[1] != "reset"]
            days = [row[2] for row in rows]
            told = brief_bodies(days, cards, [row[4] for row in rows])
            found.extend(days, told or bodies([*map(_whole, rows)]))
    return _Read(found, histories)


def _whole(row: RawRow) -> RawRow:
    """The row of a review, with nothing in the columns that were not read."""
    id, kind, day, card, body = row
    return (id, b"", b"", 0, 0, day, kind, card, body, b"")


def entered(connection: Connection, card: str) -> list[Entered]:
    """The reviews of a card since it was new, oldest first; none if it never came in a short form
    or was right by bare results.

    Raises StoreDamagedError.
    """
    if not connection.read(f"SELECT 1 FROM events WHERE card = ? AND {_TOLD} LIMIT 1", (card,)):
        return []
    undone = log.undone(connection)
    found: list[Entered] = []
    with log.explained(connection):
        for row in log.rows(connection, "kind IN ('review', 'reset') AND card = ?", card):
            if row.id in undone:
                continue
            if row.kind == "reset":
                found.clear()
                continue
            body = review_body(row)
            form = FORMS[body.get("form", Form.BLANK.value)]
            seconds, bare = credible(body.get("seconds")), body.get("bare") is True
            found.append(Entered(form, body["rating"], body["interval"], seconds, bare))
    return found


def short_times(connection: Connection, most: int) -> list[tuple[Form, float]]:
    """Form and seconds of those in a short form that were timed, of so many newest reviews."""
    newest = f"(SELECT * FROM events WHERE {_NEWEST} ORDER BY id DESC LIMIT {most})"
    undone = log.undone(connection)
    with log.explained(connection):
        found = [
            (FORMS[body["form"]], credible(body.get("seconds")))
            for row in log.rows(connection, _SHORT, table=newest)
            if row.id not in undone and "form" in (body := review_body(row))
        ]
    return [(form, seconds) for form, seconds in found if seconds is not None]


def newest_reviews(connection: Connection, most: int) -> list[Review]:
    """Of so many newest reviews those that were not undone, newest first."""
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
    """Card and seconds of so many newest reviews on a blank page, if they were timed and rated Good
    or Easy.

    Of one card, or of all.
    """
    undone = log.undone(connection)
    where, parameters = (_NEWEST, ()) if card is None else ("kind = 'review' AND card = ?", (card,))
    found = log.rows(connection, where, *parameters, order=f"id DESC LIMIT {most}")
    with log.explained(connection):
        bodies = [(row.card, review_body(row)) for row in found if row.id not in undone]
    return [
        (of, seconds)
        for of, body in bodies
        if body["rating"] >= Rating.GOOD
        and "form" not in body
        and (seconds := credible(body.get("seconds"))) is not None
    ]


def times(connection: Connection, most: int) -> list[tuple[str, float]]:
    """Card and seconds of so many newest reviews on a blank page, if they were timed; no learning
    steps."""
    undone = log.undone(connection)
    newest = f"SELECT id, card, body FROM events WHERE {_NEWEST} ORDER BY id DESC LIMIT ?"
    with log.explained(connection):
        timed = [
            (id_of(event), card, seconds_of(body))
            for event, card, body in connection.read(newest, (most,))
        ]
    return [
        (card, seconds)
        for event, card, seconds in timed
        if seconds is not None and event not in undone
    ]
