"""A PostgreSQL database to sync with: one learner's own, or a course's, which keeps many apart.

It holds the same events as a store, with the learner's name beside each, in a schema `quizzer`.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from quizzer.store import old_formats
from quizzer.store.codec import COLUMN_TYPES, Row, UnreadableError, event_of
from quizzer.store.connection import APPLICATION_ID
from quizzer.store.errors import TargetError
from quizzer.store.integrity import is_as_written
from quizzer.store.layout import TEXTS
from quizzer.store.merge import Log
from quizzer.store.old_formats import OldRow
from quizzer.store.sync import database
from quizzer.store.sync.course_tables import FORMAT
from quizzer.store.sync.postgres_errors import LOOKING, SYNCING, Explaining
from quizzer.values import Event

if TYPE_CHECKING:
    import psycopg

_COLUMNS = ", ".join(Row._fields)
# Not COPY, which no database takes that lets each role see its own rows alone.
_ARRAYS = ", ".join("%s::text[]" if kind is str else "%s::bigint[]" for kind in COLUMN_TYPES)
_INSERT = (
    f"INSERT INTO quizzer.events (learner, {_COLUMNS}) SELECT %s, * FROM unnest({_ARRAYS})"
).encode()
_THERE = "SELECT id, hash FROM quizzer.events WHERE learner = ? AND id = ANY(?)"
_MANY = 10_000
"""Rows of one statement, which is committed by itself when they are given."""
# Rights and policies that somebody gave to the table stay with it.
_CONVERSION = (
    "SET LOCAL statement_timeout = 0",
    "CREATE TABLE quizzer.events_of_format_1 AS SELECT * FROM quizzer.events",
    "ALTER TABLE quizzer.events DISABLE TRIGGER events_are_never_changed",
    "ALTER TABLE quizzer.events ADD COLUMN after TEXT NOT NULL DEFAULT ''",
    "DELETE FROM quizzer.events",
    "ALTER TABLE quizzer.events DROP COLUMN seq",
    "ALTER TABLE quizzer.events ENABLE TRIGGER events_are_never_changed",
    "CREATE INDEX events_by_device ON quizzer.events (learner, device, id)",
    f"UPDATE quizzer.meta SET content = '{FORMAT}' WHERE name = 'format'",
)


class PostgresTarget(Struct, frozen=True):
    """One learner's events in a database, which no other machine adds to meanwhile."""

    name: str
    learner: str
    unclaimed: str | None
    connection: "psycopg.Connection[Any]"
    explaining: Explaining
    converted: str | None = None
    faults: tuple[str, ...] = ()
    vanished: int = 0  # a database keeps its tables sound by itself

    @property
    def log(self) -> Log:
        return Log(self._read, "quizzer.events", "learner = ?", (self.learner,), TEXTS)

    @property
    def remedy(self) -> str:
        return (
            "Leave it as it is, others may be in it, and sync again from each machine with one new "
            "--learner NAME: together they make the history whole."
        )

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows, some thousands at a time: where it ends half-way, the next sync goes on."""
        with self.explaining():
            # A card's events together, since a card is added up anew when one of them arrives.
            for some in _parts(sorted(rows, key=lambda row: (row.card, row.id))):
                _insert(self.connection, self.learner, some)
                ids = [row.id for row in some]
                there = dict(database.read(self.connection, _THERE, (self.learner, ids)))
                if any(there.get(row.id) != row.hash for row in some):
                    raise TargetError.at(
                        self.name, "did not keep what was given to it", "Tell who keeps it."
                    )
                self.connection.commit()

    def _read(self, sql: str, parameters: Sequence[object]) -> list[Any]:
        with self.explaining():
            return [*database.each(self.connection, sql, parameters)]


@contextmanager
def opened(address: str, learner: str, *, claimed: bool) -> Iterator[PostgresTarget]:
    """Hold one learner's events, in tables that are made if there are none.

    `claimed` if somebody said that this is the learner's name. Raises TargetError.
    """
    explaining = Explaining(address, SYNCING)
    with closing(database.connect(address, explaining)) as connection:
        with explaining():
            converted = prepare(connection, explaining)
            database.hold(connection, explaining, learner)
        unclaimed = None if claimed else learner
        yield PostgresTarget(explaining.name, learner, unclaimed, connection, explaining, converted)


def all_events(address: str, cards: Collection[str]) -> Iterator[tuple[str, Event]]:
    """Every learner's name and event of these cards, the events of each in order of their ids.

    Events that cannot be read here are left out: one learner's must not keep a teacher from
    seeing the others'. Raises TargetError.
    """
    explaining = Explaining(address, LOOKING)
    with closing(database.connect(address, explaining)) as connection, explaining():
        if not database.is_made(connection):
            return
        database.see_format(connection, explaining)
        found = database.each(
            connection,
            f"SELECT learner, {_COLUMNS} FROM quizzer.events WHERE card = ANY(?)"
            " ORDER BY learner, id",
            (list(cards),),
        )
        for learner, *columns in found:
            row = Row(*columns)
            try:
                event = event_of(row) if is_as_written(row) else None
            except UnreadableError:
                continue
            if event:
                yield learner, event


def prepare(connection: "psycopg.Connection[Any]", explaining: Explaining) -> str | None:
    """Make the tables if there are none; for syncing alone no right to do so is needed.

    Returns what to say if the database was of an older format and is converted now.
    """
    if not database.is_made(connection):
        connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (APPLICATION_ID,))
        if not database.is_made(connection):
            database.make(connection)
        connection.commit()
    if database.format_of(database.meta(connection)) != database.OLD_FORMAT:
        database.see_format(connection, explaining)
        return None
    import psycopg

    try:
        damaged = _convert(connection)
    except psycopg.errors.InsufficientPrivilege as error:
        raise TargetError.at(
            explaining.name,
            "is of an older format, and only its owner may convert it",
            "Ask them to run `quizzer sync` with this version, then sync again.",
        ) from error
    left_out = f"; damaged and left out: {damaged}" if damaged else ""
    return (
        f"{explaining.name} was of an older format; it is now of format {FORMAT}, and the old "
        f"events are kept in quizzer.events_of_format_1{left_out}"
    )


def _convert(connection: "psycopg.Connection[Any]") -> int:
    """Bring every learner's events to this format, in one transaction.

    Returns how many were damaged and are left out.
    """
    connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (APPLICATION_ID,))
    if (
        database.format_of(database.meta(connection)) != database.OLD_FORMAT
    ):  # somebody else did meanwhile
        return 0
    connection.execute("LOCK TABLE quizzer.events IN ACCESS EXCLUSIVE MODE")
    found: dict[str, list[OldRow]] = {}
    for learner, *columns in database.read(
        connection, f"SELECT learner, {old_formats.COLUMNS} FROM quizzer.events", ()
    ):
        found.setdefault(learner, []).append(OldRow(*columns))
    for statement in _CONVERSION:
        connection.execute(statement.encode())
    damaged = 0
    for learner, rows in found.items():
        converted = old_formats.converted(rows)
        damaged += len(converted.unproven)
        _insert(connection, learner, converted.rows)
    connection.commit()
    return damaged


def _insert(connection: "psycopg.Connection[Any]", learner: str, rows: Sequence[Row]) -> None:
    for some in _parts(rows):
        columns = [list(column) for column in zip(*some, strict=True)]
        connection.execute(_INSERT, (learner, *columns))


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    return (rows[start : start + _MANY] for start in range(0, len(rows), _MANY))
