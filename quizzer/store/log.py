"""The table `events`: adding to it and reading it. Nothing here ever changes or removes a row."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from itertools import chain
from typing import Any

from quizzer.store import forks, layout, meta
from quizzer.store.codec import (
    Row,
    UnreadableError,
    body_of,
    event_of,
    kind_of,
    milliseconds,
    offset_minutes,
)
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError
from quizzer.store.fold import undone_ids
from quizzer.store.ids import Randomness, least_id, next_id
from quizzer.store.integrity import hashed, is_as_written
from quizzer.store.layout import RawRow, id_of, kept_id
from quizzer.store.pages import Page
from quizzer.store.schema import INSERT
from quizzer.values import Attempt, Event, Fact, Review, Undo, Verdict

_COLUMNS = ", ".join(Row._fields)
_PAGE = 2000
"""Rows that are in memory at a time."""
NO_REVIEW = "kind <> 'review'"
"""Said in a question so that SQLite takes the index of all other kinds."""
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_DAY_MS = 24 * 60 * 60 * 1000


def append(
    connection: Connection,
    device: str,
    facts: Sequence[Fact],
    at: datetime,
    day: int,
    randomness: Randomness,
) -> tuple[Event, ...]:
    """Add facts at the end of the log, after every event of any device. Inside a transaction."""
    newest = newest_id(connection)
    last = _greatest_id(connection, "WHERE device = ?", kept_id(device))
    ms, offset = milliseconds(at), offset_minutes(at)
    added = []
    for fact in facts:
        newest = _next_id(connection, newest, ms, randomness)
        kind, body = kind_of(type(fact)), body_of(fact)
        row = Row(newest, device, last or "", ms, offset, day, kind, fact.card, body, hash="")
        added.append(hashed(row))
        last = newest
    insert(connection, added)
    return tuple(events_of(connection, added))


def pages(
    connection: Connection, where: str = "1 = 1", after: str | None = None
) -> Iterator[list[RawRow]]:
    """Every row in order of the ids, or those `after` one; its columns as `Row` has them.

    Some thousands are read at a time, and between them others may write. Raises
    StoreDamagedError where the order of the ids is damaged.
    """
    return map(layout.rows, kept_pages(connection, where, after))


def kept_pages(
    connection: Connection,
    where: str = "1 = 1",
    after: str | None = None,
    columns: str = _COLUMNS,
) -> Iterator[Page]:
    """The same rows as they are kept, or these columns of them, of which the id is the first."""
    last: Any = None if after is None else kept_id(after)
    while True:
        since, parameters = ("1 = 1", ()) if last is None else ("id > ?", (last,))
        sql = f"SELECT {columns} FROM events WHERE {where} AND {since} ORDER BY id LIMIT {_PAGE}"
        page = Page(connection.read(sql, parameters))
        if page:
            yield page
        if len(page) < _PAGE:
            return
        # SQLite has all texts before all bytes, and numbers before both.
        before, last = last, page[-1][0]
        if last is None or (type(before) is type(last) and not last > before):
            raise StoreDamagedError.at(connection.path, "its events are not in order")


def kept_since(connection: Connection, row: int) -> list[RawRow]:
    """As they are kept, the rows that were added after the one to which SQLite gave this number."""
    sql = f"SELECT {_COLUMNS} FROM events WHERE rowid > ? ORDER BY rowid"
    return connection.read(sql, (row,))


def newest_row(connection: Connection) -> int:
    """The number that SQLite gave to the row that was added last, 0 if there is none."""
    ((found,),) = connection.read("SELECT MAX(rowid) FROM events")
    return int(found or 0)


def raw(connection: Connection, where: str = "1 = 1") -> Iterator[RawRow]:
    """The same rows one by one."""
    return chain.from_iterable(pages(connection, where))


def insert(connection: Connection, found: Sequence[Row]) -> None:
    """Add rows as they are, and count them. Inside a transaction."""
    if found:
        connection.write(INSERT, *map(layout.kept, found))
        meta.put(connection, "events", str(counted(connection) + len(found)))


def counted(connection: Connection) -> int:
    """How many events were ever added to the store."""
    return meta.number(meta.get(connection, "events")) or 0


def hashes(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """The hash of each event with one of these ids, by the id."""
    found: dict[str, str] = {}
    for some in in_parts(ids):
        sql = f"SELECT id, hash FROM events WHERE id IN ({_marks(some)})"
        for id, hash in connection.read(sql, [*map(kept_id, some)]):
            found[id_of(id)] = layout.hash_of(hash)
    return found


def rows(
    connection: Connection,
    where: str = "1 = 1",
    *parameters: object,
    order: str = "id",
    table: str = "events",
) -> list[Row]:
    sql = f"SELECT {_COLUMNS} FROM {table} WHERE {where} ORDER BY {order}"
    return [*map(Row._make, layout.rows(connection.read(sql, parameters)))]


def events_of(connection: Connection, found: Sequence[Row]) -> list[Event]:
    """The events of rows, those of kinds not known here left out. Raises StoreDamagedError."""
    with explained(connection):
        read = [event_of(row) for row in found]
    return [event for event in read if event]


@contextmanager
def explained(connection: Connection) -> Iterator[None]:
    """Turn a row that cannot be read into what is wrong with the store: StoreDamagedError."""
    try:
        yield
    except UnreadableError as error:
        raise StoreDamagedError.at(connection.path, str(error)) from error


def events(
    connection: Connection,
    card: str | None = None,
    since_day: int | None = None,
    kinds: Collection[type[Fact]] | None = None,
) -> list[Event]:
    """In order of their ids. Raises StoreDamagedError."""
    where, parameters = ["1 = 1"], list[object]()
    if card is not None:
        where.append("card = ?")
        parameters.append(card)
    if since_day is not None:
        where.append("day >= ? AND id >= ?")
        parameters += [since_day, kept_id(earliest(since_day))]
    if kinds is not None:
        where.append(f"kind IN ({_marks(kinds)})")
        parameters += [kind_of(kind) for kind in kinds]
        if Review not in kinds:
            where.append(NO_REVIEW)
    return events_of(connection, rows(connection, " AND ".join(where), *parameters))


def each(connection: Connection, kinds: Collection[type[Fact]]) -> Iterator[Event]:
    """The events of these kinds, read as they are gone through. Raises StoreDamagedError."""
    among = ", ".join(f"'{kind_of(kind)}'" for kind in kinds)
    with explained(connection):
        for row in raw(connection, f"kind IN ({among})"):
            if event := event_of(Row._make(row)):
                yield event


def wrong_attempts(connection: Connection) -> list[Event]:
    """In order of their ids; of a long log only those rows are read. Raises StoreDamagedError."""
    named = f'%"{Verdict.WRONG.value}"%'
    where = f"kind = 'attempt' AND {NO_REVIEW} AND body LIKE ?"
    found = events_of(connection, rows(connection, where, named))
    return [
        event
        for event in found
        if isinstance(event.fact, Attempt) and event.fact.verdict is Verdict.WRONG
    ]


def reviews_of_day(connection: Connection, day: int) -> list[tuple[Event, Review]]:
    """In order of their ids. Raises StoreDamagedError."""
    where = "kind = 'review' AND day = ? AND id >= ?"
    return _as_reviews(connection, rows(connection, where, day, kept_id(earliest(day))))


def last_reviews(connection: Connection, cards: Collection[str]) -> list[tuple[Event, Review]]:
    """The newest review of each of these cards."""
    found = list[Row]()
    for some in in_parts(cards):
        of_them = f"kind = 'review' AND card IN ({_marks(some)})"
        newest = f"id IN (SELECT MAX(id) FROM events WHERE {of_them} GROUP BY card)"
        found += rows(connection, newest, *some)
    return _as_reviews(connection, found)


def newest_not_undone(
    connection: Connection, device: str, kinds: Collection[type[Fact]]
) -> Event | None:
    """The newest event of these kinds that this device recorded and that was not taken back.

    Nor a review that a reset made moot. What it recorded before a fork counts.
    """
    gone = undone(connection)
    names = [kind_of(kind) for kind in kinds]
    moot = "(SELECT 1 FROM events WHERE kind = 'reset' AND card = mine.card AND id > mine.id)"
    wanted = f"kind IN ({_marks(names)}) AND NOT EXISTS {moot}"
    newest = connection.read(
        f"SELECT id FROM events AS mine WHERE device = ? AND {wanted} ORDER BY id DESC LIMIT ?",
        (kept_id(device), *names, len(gone) + 1),
    )
    for id in chain((id_of(id) for (id,) in newest), forks.recorded_before(connection)):
        if id not in gone:
            of_it = (kept_id(id), *names)
            found = rows(connection, f"id = ? AND {wanted}", *of_it, table="events AS mine")
            if found:
                return events_of(connection, found)[0]
    return None


def undone(connection: Connection) -> frozenset[str]:
    """The ids of all events that were taken back."""
    return undone_ids(events(connection, kinds=(Undo,)))


def size(connection: Connection) -> int:
    ((found,),) = connection.read("SELECT COUNT(*) FROM events")
    return int(found)


def newest_id(connection: Connection) -> str | None:
    return _greatest_id(connection)


def _greatest_id(connection: Connection, where: str = "", *values: object) -> str | None:
    ((found,),) = connection.read(f"SELECT MAX(id) FROM events {where}", values)
    found = id_of(found)
    if not isinstance(found, str | None):
        raise StoreDamagedError.at(connection.path, f"an event has the id {found!r}, which is none")
    return found


def newest_problem(connection: Connection) -> str | None:
    """What is wrong with the newest event, `None` if it is as it was written."""
    for row in rows(connection, "id = (SELECT MAX(id) FROM events)"):
        if not is_as_written(row):
            return f"its newest event, {row.id}, is not as it was written"
    return None


def _as_reviews(connection: Connection, found: Sequence[Row]) -> list[tuple[Event, Review]]:
    return [
        (event, event.fact)
        for event in events_of(connection, found)
        if isinstance(event.fact, Review)
    ]


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def in_parts(cards: Collection[str], most: int = 500) -> Iterator[list[str]]:
    """A few at a time: SQLite takes a limited number of parameters, 999 in old versions."""
    left = list(cards)
    while left:
        some, left = left[:most], left[most:]
        yield some


def earliest(day: int) -> str:
    """An id before those of all events of this study day, wherever on earth they were recorded.

    Ids sort by time, so that a day needs no index of its own.
    """
    return least_id((day - _EPOCH_DAY - 1) * _DAY_MS)


def _next_id(connection: Connection, newest: str | None, ms: int, randomness: Randomness) -> str:
    try:
        return next_id(newest, ms, randomness)
    except (ValueError, OverflowError) as error:
        what = f"no event can follow the id of its newest, {newest}"
        raise StoreDamagedError.at(connection.path, what) from error
