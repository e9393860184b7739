"""A PostgreSQL database to sync with: one learner's own, or a course's, which keeps many apart.

It has the same events as a store, with the learner's name beside each, in a schema `quizzer`.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quizzer.store import older, schema
from quizzer.store.codec import COLUMN_TYPES, Row, UnreadableError, event_of
from quizzer.store.connection import APPLICATION_ID
from quizzer.store.errors import TargetError
from quizzer.store.exported import is_as_written
from quizzer.store.older import OldRow
from quizzer.store.union import Log
from quizzer.text import one_line
from quizzer.values import Event

if TYPE_CHECKING:
    import psycopg

SCHEMES = ("postgresql://", "postgres://")
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
_LONGEST = "60s"
"""How long one statement may take."""
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
    told: "_Telling"
    converted: str | None = None
    faults: tuple[str, ...] = ()
    vanished: int = 0
    """A database keeps its tables sound by itself."""

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
        with self.told():
            _insert(self.connection, self.learner, rows)
            there = self.log.hashes() if rows else {}
            if any(there.get(row.id) != row.hash for row in rows):
                raise TargetError.at(
                    self.name, "did not keep what was given to it", "Tell who keeps it."
                )
            self.connection.commit()

    def _read(self, sql: str, parameters: Sequence[object]) -> list[Any]:
        with self.told():
            return _read(self.connection, sql, parameters)


def is_address(target: str) -> bool:
    """Whether a target is a database and not a file."""
    return target.startswith(SCHEMES)


def shown(address: str) -> str:
    """An address, or what was given for one, without the password that it may hold."""
    start, separator, rest = address.partition("://")
    if not separator:
        # The name of a file, or nearly an address.
        return "…" if re.search("[@=:]", address) else address
    head = rest.partition("?")[0]
    if "@" in head:
        return f"{start}://{head.rpartition('@')[2]}"
    return f"{start}://…" if "@" in rest or _word(head) else f"{start}://{head}"


def _word(head: str) -> str:
    """What stands where a port should, in an address whose host was forgotten: a password."""
    hosts = re.sub(r"\[[^]/]*\]", "", head.partition("/")[0])
    found = re.search(r":(\d*[^\d,].*)", hosts)
    return found[1] if found else ""


@contextmanager
def opened(address: str, learner: str, *, claimed: bool) -> Iterator[PostgresTarget]:
    """Hold one learner's events, in tables that are made if there are none.

    `claimed` if somebody said that this is the learner's name. Raises TargetError.
    """
    told = _Telling(address, _SYNCING)
    with closing(_connect(address, told)) as connection:
        with told():
            converted = _prepare(connection, told)
            connection.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'".encode())
            connection.execute(
                "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (APPLICATION_ID, learner)
            )
        unclaimed = None if claimed else learner
        yield PostgresTarget(told.name, learner, unclaimed, connection, told, converted)


def all_events(address: str, cards: Collection[str]) -> Iterator[tuple[str, Event]]:
    """Every learner's name and event of these cards, the events of each in order of their ids.

    Events that cannot be read here are left out: one learner's must not keep a teacher from
    seeing the others'. Raises TargetError.
    """
    told = _Telling(address, _LOOKING)
    with closing(_connect(address, told)) as connection, told():
        if not _made(connection):
            return
        _see_format(connection, told)
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


def _connect(address: str, told: "_Telling") -> "psycopg.Connection[Any]":
    import sys

    try:
        import psycopg
    except ImportError:
        raise TargetError.at(
            told.name,
            "needs psycopg, which is not installed",
            f'Install it: {sys.executable} -m pip install "psycopg[binary]"',
        ) from None
    with told():
        connection = psycopg.connect(
            address,
            connect_timeout=10,
            application_name="quizzer",
            # A server whose own encoding is none, or knows few signs, is spoken to like all others.
            client_encoding="utf8",
        )
        connection.execute(f"SET statement_timeout = '{_LONGEST}'".encode())
        connection.commit()
        return connection


def _prepare(connection: "psycopg.Connection[Any]", told: "_Telling") -> str | None:
    """Make the tables where there are none; who only syncs needs no right to.

    Returns what to tell where the database was of an older format and is converted now.
    """
    if not _made(connection):
        connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (APPLICATION_ID,))
        if not _made(connection):
            for statement in _TABLES:
                connection.execute(statement.encode())
        connection.commit()
    if _format(connection) != _OLD_FORMAT:
        _see_format(connection, told)
        return None
    import psycopg

    try:
        damaged = _convert(connection)
    except psycopg.errors.InsufficientPrivilege as error:
        raise TargetError.at(
            told.name,
            "is of an older format, and only who made it may convert it",
            "Ask them to run `quizzer sync` with this version, then sync again.",
        ) from error
    left_out = f"; damaged and left out: {damaged}" if damaged else ""
    return (
        f"{told.name} was of an older format; it is now of format {FORMAT}, and the old events are "
        f"kept in quizzer.events_of_format_1{left_out}"
    )


def _convert(connection: "psycopg.Connection[Any]") -> int:
    """Every learner's events in this format, in one transaction; how many were damaged and are
    left out."""
    connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (APPLICATION_ID,))
    if _format(connection) != _OLD_FORMAT:  # somebody else did meanwhile
        return 0
    connection.execute("LOCK TABLE quizzer.events IN ACCESS EXCLUSIVE MODE")
    found: dict[str, list[OldRow]] = {}
    for learner, *columns in _read(
        connection, f"SELECT learner, {older.COLUMNS} FROM quizzer.events", ()
    ):
        found.setdefault(learner, []).append(OldRow(*columns))
    for statement in _CONVERSION:
        connection.execute(statement.encode())
    damaged = 0
    for learner, rows in found.items():
        converted = older.converted(rows)
        damaged += len(converted.unproven)
        _insert(connection, learner, converted.rows)
    connection.commit()
    return damaged


def _made(connection: "psycopg.Connection[Any]") -> bool:
    # Not to_regclass: what it remembers may be older than the lock that was waited for.
    tables = "pg_catalog.pg_tables WHERE schemaname = 'quizzer' AND tablename = 'meta'"
    return bool(_read(connection, f"SELECT 1 FROM {tables}", ()))


def _see_format(connection: "psycopg.Connection[Any]", told: "_Telling") -> None:
    found = _format(connection)
    if found == _OLD_FORMAT:
        raise TargetError.at(
            told.name,
            "is of an older format",
            f"Who made it converts it with `quizzer sync`; then {told.purpose.again}.",
        )
    if found != FORMAT:
        raise TargetError.at(
            told.name, "was made by a newer quizzer", f"Update quizzer, then {told.purpose.again}."
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


@dataclass(frozen=True, slots=True)
class _Purpose:
    """What a database is opened for, in the words of what to do where it cannot be used."""

    done: str
    again: str
    when_it_can: str
    right: str


_SYNCING = _Purpose(
    done="synced",
    again="sync again",
    when_it_can="Sync again when it can: what is lacking then is added.",
    right="for the right to use the schema quizzer, and to select from and insert into its "
    "tables; the first to sync must be allowed to make it.",
)
_LOOKING = _Purpose(
    done="read",
    again="look again",
    when_it_can="Look again when it can.",
    right="for the right to use the schema quizzer and to select from its tables.",
)


class _Telling:
    """Turns what PostgreSQL and psycopg say into sentences without the password."""

    def __init__(self, address: str, purpose: _Purpose) -> None:
        self.name = shown(address)
        self.purpose = purpose
        self._address = address

    @contextmanager
    def __call__(self) -> Iterator[None]:
        import psycopg

        try:
            yield
        except psycopg.errors.LockNotAvailable as error:
            raise TargetError.at(
                self.name, "is being synced by another machine", "Try again when it is done."
            ) from error
        except psycopg.errors.InsufficientPrivilege as error:
            raise TargetError.at(
                self.name,
                f"does not allow it: {self._said(error)}",
                f"Ask who keeps it {self.purpose.right}",
            ) from error
        except psycopg.errors.QueryCanceled as error:
            raise TargetError.at(
                self.name, f"took longer than {_LONGEST} to answer", self.purpose.when_it_can
            ) from error
        except psycopg.OperationalError as error:
            raise TargetError.at(
                self.name,
                f"cannot be reached: {self._said(error)}",
                self.purpose.when_it_can,
            ) from error
        except (psycopg.Error, UnicodeError) as error:
            raise TargetError.at(
                self.name,
                f"could not be {self.purpose.done}: {self._said(error)}",
                f"Then {self.purpose.again}.",
            ) from error

    def _said(self, error: Exception) -> str:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        text = one_line(lines[0], width=300).rstrip(".")
        for secret in self._secrets():
            text = text.replace(secret, "…")
        return text

    def _secrets(self) -> list[str]:
        """All of the address that a message must not repeat."""
        from urllib.parse import unquote

        rest = self._address.partition("://")[2]
        login = rest.rpartition("@")[0]
        found = [self._address, login.partition(":")[2], _word(rest.partition("?")[0])]
        found += re.findall(r"(?:password|sslpassword)=([^&]*)", rest)
        every = {*found, *map(unquote, found)}
        return sorted((secret for secret in every if secret), key=len, reverse=True)
