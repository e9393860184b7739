"""A connection to a PostgreSQL database of ours: what it holds, and who else is at it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from quizzer.store.connection import APPLICATION_ID
from quizzer.store.errors import TargetError
from quizzer.store.sync import course_tables
from quizzer.store.sync.postgres_errors import Explaining

if TYPE_CHECKING:
    import psycopg

OLD_FORMAT = 1
"""Of the databases that hold events of the stores of format 2."""
PATIENCE = "30s"
"""How long to wait while another machine of the same learner syncs."""
_PAGE = 2000
"""Rows that are fetched at a time."""
# A machine that was switched off holds its locks no longer than this.
_DROPPED = {
    "idle_in_transaction_session_timeout": "5min",
    "tcp_keepalives_idle": "60",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
_HOLDER = """SELECT lock.pid, EXTRACT(EPOCH FROM now() - at.state_change)::bigint
    FROM pg_locks AS lock LEFT JOIN pg_stat_activity AS at USING (pid)
    WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 2
        AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND lock.classid = ?::bigint::oid
        AND lock.objid = ?::bigint::oid"""


def connect(address: str, explaining: Explaining) -> "psycopg.Connection[Any]":
    """Raises TargetError."""
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
        settings = _DROPPED | {
            "statement_timeout": explaining.purpose.timeout,
            "lock_timeout": PATIENCE,
        }
        told = "; ".join(f"SET {name} = '{value}'" for name, value in settings.items())
        connection.execute(told.encode())
        connection.commit()
        return connection


def hold(
    connection: "psycopg.Connection[Any]", explaining: Explaining, learner: str | None
) -> None:
    """Hold one learner's events, or the tables themselves, until the connection ends.

    It lasts whatever is committed meanwhile. Raises TargetError that names the server's process
    which holds them.
    """
    import psycopg

    key = 0
    if learner is not None:
        ((key,),) = read(connection, "SELECT hashtext(?)", (learner,))
    try:
        connection.execute("SELECT pg_advisory_lock(%s, %s)", (APPLICATION_ID, key))
        connection.commit()
    except psycopg.errors.LockNotAvailable as error:
        connection.rollback()
        what = "set up" if learner is None else "synced"
        told, end = "", ""
        for pid, seconds in read(connection, _HOLDER, (APPLICATION_ID, key & 0xFFFFFFFF))[:1]:
            silent = "" if seconds is None else f", silent for {seconds} s"
            told = f": process {pid} of the server holds it{silent}"
            end = (
                " If that machine is switched off, the server drops it within 5 minutes. Who "
                f"keeps the database can do so at once: SELECT pg_terminate_backend({pid})"
            )
        raise TargetError.at(
            explaining.name,
            f"is being {what} by another machine{told}",
            f"Try again when it is done.{end}",
        ) from error


def read(
    connection: "psycopg.Connection[Any]", sql: str, parameters: Sequence[object] = ()
) -> list[Any]:
    return connection.execute(sql.replace("?", "%s").encode(), parameters).fetchall()


def each(
    connection: "psycopg.Connection[Any]", sql: str, parameters: Sequence[object] = ()
) -> Iterator[Any]:
    """Rows, some thousands fetched at a time; each fetch may take as long as a statement."""
    with connection.cursor(name="quizzer") as cursor:
        cursor.itersize = _PAGE
        cursor.execute(sql.replace("?", "%s").encode(), parameters)
        yield from cursor


def is_made(connection: "psycopg.Connection[Any]") -> bool:
    return has_table(connection, "meta")


def has_table(connection: "psycopg.Connection[Any]", name: str) -> bool:
    # Not to_regclass: what it remembers may be older than the lock that was waited for.
    tables = "pg_catalog.pg_tables WHERE schemaname = 'quizzer' AND tablename = ?"
    return bool(read(connection, f"SELECT 1 FROM {tables}", (name,)))


def meta(connection: "psycopg.Connection[Any]") -> dict[str, str]:
    return dict(read(connection, "SELECT name, content FROM quizzer.meta"))


def put(connection: "psycopg.Connection[Any]", name: str, content: str) -> None:
    """In `meta`; somebody may have to commit it."""
    connection.execute(
        "INSERT INTO quizzer.meta (name, content) VALUES (%s, %s)"
        " ON CONFLICT (name) DO UPDATE SET content = EXCLUDED.content",
        (name, content),
    )


def remove(connection: "psycopg.Connection[Any]", name: str) -> None:
    connection.execute("DELETE FROM quizzer.meta WHERE name = %s", (name,))


def format_of(found: dict[str, str]) -> int:
    """The format that `meta` tells, 0 for none that can be read."""
    told = found.get("format", "")
    return int(told) if told.isdecimal() else 0


def make(connection: "psycopg.Connection[Any]") -> None:
    """The tables of a new database. Inside a transaction."""
    for statement in (*course_tables.EVENTS, *course_tables.SUMS):
        connection.execute(statement.encode())
    put(connection, "summary", str(course_tables.SUMMARY))


def see_format(connection: "psycopg.Connection[Any]", explaining: Explaining) -> None:
    """Raises TargetError for a format that this version does not write."""
    found = format_of(meta(connection))
    if found == OLD_FORMAT:
        raise TargetError.at(
            explaining.name,
            "is of an older format",
            f"Who made it converts it with `quizzer sync`; then {explaining.purpose.again}.",
        )
    if found != course_tables.FORMAT:
        raise TargetError.at(
            explaining.name,
            "was made by a newer quizzer",
            f"Update quizzer, then {explaining.purpose.again}.",
        )
