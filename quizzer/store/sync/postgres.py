"""A PostgreSQL database to sync with: one learner's own, or a course's, which keeps many apart.

It holds the same events as a store, with the learner's name beside each, in a schema `quizzer`.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quizzer.store import old_formats, schema
from quizzer.store.codec import COLUMN_TYPES, Row, UnreadableError, event_of
from quizzer.store.connection import APPLICATION_ID
from quizzer.store.errors import TargetError
from quizzer.store.integrity import is_as_written
from quizzer.store.merge import Log
from quizzer.store.old_formats import OldRow
from quizzer.store.sync.postgres_errors import LOOKING, SYNCING, TIMEOUT, Explaining
from quizzer.values import Event

if TYPE_CHECKING:
    import psycopg

FORMAT = schema.FORMAT
_OLD_FORMAT = 1
"""Of the databases that hold events of the stores of format 2."""
PATIENCE = "30s"
"""How long to wait while another machine of the same learner syncs."""

_TABLES = (
    "CREATE SCHEMA IF NOT EXISTS quizzer",
    f"""CREATE TABLE quizzer.events (
        learner TEXT NOT NULL,
        {schema.EVENT_COLUMNS},
        PRIMARY KEY (learner, id)
    )""",
    "CREATE INDEX events_by_device ON quizzer.events (learner, device, id)",
    "CREATE INDEX events_by_card ON quizzer.events (card)",
    """CREATE FUNCTION quizzer.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'events are only ever added'; END $$""",
    """CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE
        ON quizzer.events FOR EACH STATEMENT EXECUTE FUNCTION quizzer.refuse()""",
    "CREATE TABLE quizzer.meta (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)",
    f"INSERT INTO quizzer.meta (name, content) VALUES ('format', '{FORMAT}')",
)
_COLUMNS = ", ".join(Row._fields)
# Not COPY, which no database takes that lets each role see its own rows alone.
_ARRAYS = ", ".join("%s::text[]" if kind is str else "%s::bigint[]" for kind in COLUMN_TYPES)
_INSERT = (
    f"INSERT INTO quizzer.events (learner, {_COLUMNS}) SELECT %s, * FROM unnest({_ARRAYS})"
).encode()
_MANY = 10_000
"""Rows of one statement."""
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


@dataclass(frozen=True, slots=True)
class PostgresTarget:
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
        return Log(self._read, "quizzer.events", "learner = ?", (self.learner,))

    @property
    def remedy(self) -> str:
        return (
            "Leave it as it is, others may be in it, and sync again from each machine with one new "
            "--learner NAME: together they make the history whole."
        )

    def add(self, rows: Sequence[Row]) -> None:
        with self.explaining():
            _insert(self.connection, self.learner, rows)
            there = self.log.hashes() if rows else {}
            if any(there.get(row.id) != row.hash for row in rows):
                raise TargetError.at(
                    self.name, "did not keep what was given to it", "Tell who keeps it."
                )
            self.connection.commit()

    def _read(self, sql: str, parameters: Sequence[object]) -> list[Any]:
        with self.explaining():
            return _read(self.connection, sql, parameters)


@contextmanager
def opened(address: str, learner: str, *, claimed: bool) -> Iterator[PostgresTarget]:
    """Hold one learner's events, in tables that are made if there are none.

    `claimed` if somebody said that this is the learner's name. Raises TargetError.
    """
    explaining = Explaining(address, SYNCING)
    with closing(_connect(address, explaining)) as connection:
        with explaining():
            converted = _prepare(connection, explaining)
            connection.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'".encode())
            connection.execute(
                "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (APPLICATION_ID, learner)
            )
        unclaimed = None if claimed else learner
        yield PostgresTarget(explaining.name, learner, unclaimed, connection, explaining, converted)


def all_events(address: str, cards: Collection[str]) -> Iterator[tuple[str, Event]]:
    """Every learner's name and event of these cards, the events of each in order of their ids.

    Events that cannot be read here are left out: one learner's must not keep a teacher from
    seeing the others'. Raises TargetError.
    """
    explaining = Explaining(address, LOOKING)
    with closing(_connect(address, explaining)) as connection, explaining():
        if not _made(connection):
            return
        _see_format(connection, explaining)
        found = _read(
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


def _connect(address: str, explaining: Explaining) -> "psycopg.Connection[Any]":
    import sys

    try:
        import psycopg
    except ImportError:
        raise TargetError.at(
            explaining.name,
            "needs psycopg, which is not installed",
            f'Install it: {sys.executable} -m pip install "psycopg[binary]"',
        ) from None
    with explaining():
        connection = psycopg.connect(
            address,
            connect_timeout=10,
            application_name="quizzer",
            # Whatever encoding the server itself has.
            client_encoding="utf8",
        )
        connection.execute(f"SET statement_timeout = '{TIMEOUT}'".encode())
        connection.commit()
        return connection


def _prepare(connection: "psycopg.Connection[Any]", explaining: Explaining) -> str | None:
    """Make the tables if there are none; for syncing alone no right to do so is needed.

    Returns what to say if the database was of an older format and is converted now.
    """
    if not _made(connection):
        connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (APPLICATION_ID,))
        if not _made(connection):
            for statement in _TABLES:
                connection.execute(statement.encode())
        connection.commit()
    if _format(connection) != _OLD_FORMAT:
        _see_format(connection, explaining)
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
    if _format(connection) != _OLD_FORMAT:  # somebody else did meanwhile
        return 0
    connection.execute("LOCK TABLE quizzer.events IN ACCESS EXCLUSIVE MODE")
    found: dict[str, list[OldRow]] = {}
    for learner, *columns in _read(
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


def _made(connection: "psycopg.Connection[Any]") -> bool:
    # Not to_regclass: what it remembers may be older than the lock that was waited for.
    tables = "pg_catalog.pg_tables WHERE schemaname = 'quizzer' AND tablename = 'meta'"
    return bool(_read(connection, f"SELECT 1 FROM {tables}", ()))


def _see_format(connection: "psycopg.Connection[Any]", explaining: Explaining) -> None:
    found = _format(connection)
    if found == _OLD_FORMAT:
        raise TargetError.at(
            explaining.name,
            "is of an older format",
            f"Who made it converts it with `quizzer sync`; then {explaining.purpose.again}.",
        )
    if found != FORMAT:
        raise TargetError.at(
            explaining.name,
            "was made by a newer quizzer",
            f"Update quizzer, then {explaining.purpose.again}.",
        )


def _format(connection: "psycopg.Connection[Any]") -> int:
    found = _read(connection, "SELECT content FROM quizzer.meta WHERE name = 'format'", ())
    return int(found[0][0]) if found and found[0][0].isdecimal() else 0


def _insert(connection: "psycopg.Connection[Any]", learner: str, rows: Sequence[Row]) -> None:
    for start in range(0, len(rows), _MANY):
        columns = [list(column) for column in zip(*rows[start : start + _MANY], strict=True)]
        connection.execute(_INSERT, (learner, *columns))


def _read(
    connection: "psycopg.Connection[Any]", sql: str, parameters: Sequence[object]
) -> list[Any]:
    return connection.execute(sql.replace("?", "%s").encode(), parameters).fetchall()
