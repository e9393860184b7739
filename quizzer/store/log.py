"""The table `events`: adding to it and reading it. Nothing here ever changes or removes a row."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from quizzer.review import Attempt, Event, Fact, Review, Undo, Verdict
from quizzer.store import chain
from quizzer.store.codec import (
    Row,
    UnreadableError,
    body_of,
    event_of,
    has_types,
    kind_of,
    milliseconds,
    offset_minutes,
    text_of,
)
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError
from quizzer.store.fold import undone_ids
from quizzer.store.ids import Randomness, next_id

_COLUMNS = ", ".join(Row._fields)
_INSERT = f"INSERT INTO events ({_COLUMNS}) VALUES ({', '.join('?' * len(Row._fields))})"


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
    heads = connection.read(
        "SELECT seq, hash FROM events WHERE device = ? ORDER BY seq DESC LIMIT 1", (device,)
    )
    last, sealing = heads[0] if heads else (0, chain.START)
    ms, offset = milliseconds(at), offset_minutes(at)
    added = []
    for seq, fact in enumerate(facts, start=last + 1):
        newest = _next_id(connection, newest, ms, randomness)
        kind, body = kind_of(type(fact)), body_of(fact)
        row = Row(newest, device, seq, ms, offset, day, kind, fact.card, body, hash="")
        row = chain.sealed(row, sealing)
        sealing = row.hash
        connection.write(_INSERT, row)
        added.append(row)
    return tuple(events_of(connection, added))


def raw(connection: Connection, where: str = "1 = 1") -> list[tuple[Any, ...]]:
    """Every row in order of the ids, its columns as `Row` has them."""
    return connection.read(f"SELECT {_COLUMNS} FROM events WHERE {where} ORDER BY id")


def insert(connection: Connection, found: Sequence[Row]) -> None:
    """Add rows as they are. Inside a transaction."""
    if found:
        connection.write(_INSERT, *found)


def hashes(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """The hash of each event with one of these ids, by the id."""
    found: dict[str, str] = {}
    for some in in_parts(ids):
        among = f"id IN ({', '.join('?' * len(some))})"
        found |= connection.read(f"SELECT id, hash FROM events WHERE {among}", some)
    return found


def rows(
    connection: Connection, where: str = "1 = 1", *parameters: object, order: str = "id"
) -> list[Row]:
    sql = f"SELECT {_COLUMNS} FROM events WHERE {where} ORDER BY {order}"
    return [Row(*row) for row in connection.read(sql, parameters)]


def events_of(connection: Connection, found: Sequence[Row]) -> list[Event]:
    """The events of rows, those of kinds not known here left out. Raises StoreDamagedError."""
    try:
        read = [event_of(row) for row in found]
    except UnreadableError as error:
        raise StoreDamagedError.at(connection.path, str(error)) from error
    return [event for event in read if event]


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
        where.append("day >= ?")
        parameters.append(since_day)
    if kinds is not None:
        where.append(f"kind IN ({', '.join('?' * len(kinds))})")
        parameters += [kind_of(kind) for kind in kinds]
    return events_of(connection, rows(connection, " AND ".join(where), *parameters))


def wrong_attempts(connection: Connection) -> list[Event]:
    """In order of their ids; of a long log only those rows are read. Raises StoreDamagedError."""
    named = f'%"{Verdict.WRONG.value}"%'
    found = events_of(connection, rows(connection, "kind = 'attempt' AND body LIKE ?", named))
    return [
        event
        for event in found
        if isinstance(event.fact, Attempt) and event.fact.verdict is Verdict.WRONG
    ]


def reviews(
    connection: Connection, where: str, *parameters: object, order: str = "id"
) -> list[tuple[Event, Review]]:
    found = rows(connection, f"kind = 'review' AND {where}", *parameters, order=order)
    return _as_reviews(connection, found)


def last_reviews(
    connection: Connection, cards: Collection[str] | None = None
) -> list[tuple[Event, Review]]:
    """The newest review of each card, or of each of these."""
    newest = "id IN (SELECT MAX(id) FROM events WHERE kind = 'review'{} GROUP BY card)"
    found = list[Row]()
    if cards is None:
        found += rows(connection, newest.format(""))
    else:
        for some in in_parts(cards):
            among = f" AND card IN ({', '.join('?' * len(some))})"
            found += rows(connection, newest.format(among), *some)
    return _as_reviews(connection, found)


def newest_standing_review(connection: Connection, device: str) -> Event | None:
    """The newest review of a device that was neither taken back nor made moot by a reset."""
    gone = undone(connection)
    newest = connection.read(
        "SELECT id FROM events AS review WHERE device = ? AND kind = 'review' AND NOT EXISTS"
        " (SELECT 1 FROM events WHERE kind = 'reset' AND card = review.card AND id > review.id)"
        " ORDER BY seq DESC, id DESC LIMIT ?",
        (device, len(gone) + 1),
    )
    for (standing,) in newest:
        if standing not in gone:
            for event, _ in reviews(connection, "id = ?", standing):
                return event
            raise StoreDamagedError.at(connection.path, f"its review {standing} cannot be found")
    return None


def undone(connection: Connection) -> frozenset[str]:
    """The ids of all events that were taken back."""
    return undone_ids(events(connection, kinds=(Undo,)))


def in_chains(connection: Connection) -> list[Row]:
    """All rows, ordered as the chains are."""
    return rows(connection, order="device, seq")


def size(connection: Connection) -> tuple[int, int]:
    """How many events there are, and how many more are lost: only their place is known."""
    ((events, lost),) = connection.read(
        "SELECT COUNT(CASE WHEN kind <> ? THEN 1 END), COUNT(DISTINCT CASE WHEN kind = ?"
        " AND hash NOT IN (SELECT hash FROM events WHERE kind <> ?) THEN hash END) FROM events",
        (chain.LOST,) * 3,
    )
    return events, lost


def newest_id(connection: Connection) -> str | None:
    found: str | None = connection.read("SELECT MAX(id) FROM events")[0][0]
    return found


def newest_problem(connection: Connection) -> str | None:
    """What is wrong with the newest event, `None` if it is as it was written."""
    newest = rows(connection, "id = (SELECT MAX(id) FROM events)")
    if not newest:
        return None
    row = newest[0]
    before = connection.read(
        "SELECT hash FROM events WHERE device = ? AND seq = ? - 1", (row.device, row.seq)
    )
    if chain.follows(row, [hash for (hash,) in before] or [chain.START]):
        return None
    return f"its newest event, {row.id}, is not as it was written"


def line(row: Row) -> str:
    """A row as one line of JSON, its body as JSON within where it can be made the same again."""
    values: dict[str, object] = row._asdict()
    with suppress(ValueError, RecursionError):
        body = json.loads(row.body)
        if isinstance(body, dict) and text_of(body) == row.body:
            values["body"] = body
    told = json.dumps(values, ensure_ascii=False)
    try:
        told.encode()
    except UnicodeEncodeError:  # half a sign, as in the name of a file that is not UTF-8
        return json.dumps(values)
    return told


def _as_reviews(connection: Connection, found: Sequence[Row]) -> list[tuple[Event, Review]]:
    return [
        (event, event.fact)
        for event in events_of(connection, found)
        if isinstance(event.fact, Review)
    ]


def in_parts(cards: Collection[str], most: int = 500) -> Iterator[list[str]]:
    """A few at a time: SQLite takes a limited number of parameters, 999 in old versions."""
    left = list(cards)
    while left:
        some, left = left[:most], left[most:]
        yield some


def row_of(line: str) -> Row:
    """The row that `line` told. Raises ValueError if it told none."""
    try:
        values = json.loads(line)
    except RecursionError:
        raise ValueError("is no event") from None
    if not isinstance(values, dict) or values.keys() != set(Row._fields):
        raise ValueError(f"an event has the keys {_COLUMNS}")
    if isinstance(values["body"], dict):
        values["body"] = text_of(values["body"])
    row = Row(**values)
    if not has_types(row):
        raise ValueError("a value is of another type than it should be")
    if row.seq < 1:
        raise ValueError("the numbers of events begin at 1")
    if any(isinstance(value, int) and abs(value) >= 1 << 63 for value in row):
        raise ValueError("a number is too great")
    try:
        "".join(value for value in row if isinstance(value, str)).encode()
    except UnicodeEncodeError:
        raise ValueError("a text is none") from None
    return row


def _next_id(connection: Connection, newest: str | None, ms: int, randomness: Randomness) -> str:
    try:
        return next_id(newest, ms, randomness)
    except (ValueError, OverflowError) as error:
        what = f"no event can follow the id of its newest, {newest}"
        raise StoreDamagedError.at(connection.path, what) from error
