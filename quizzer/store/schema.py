"""The tables, and how a store of an older version becomes one of this version.

Types and statements are those that PostgreSQL knows too; triggers and pragmas are SQLite's.
"""

from collections.abc import Callable, Sequence

from quizzer.store.connection import APPLICATION_ID, Connection
from quizzer.store.errors import StoreForeignError, StoreTooNewError

Migration = tuple[str, ...]
"""Statements, run one by one in one transaction."""

_FIRST: Migration = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    """CREATE TABLE events (
        id TEXT NOT NULL PRIMARY KEY,
        device TEXT NOT NULL,
        seq BIGINT NOT NULL,
        at_ms BIGINT NOT NULL,
        offset_min INTEGER NOT NULL,
        day INTEGER NOT NULL,
        kind TEXT NOT NULL,
        card TEXT NOT NULL,
        body TEXT NOT NULL,
        hash TEXT NOT NULL,
        UNIQUE (device, seq)
    )""",
    "CREATE INDEX events_by_card ON events (card)",
    "CREATE INDEX events_by_kind ON events (kind, card, id)",
    "CREATE INDEX events_by_day ON events (day)",
    """CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
    """CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
    # INSERT OR REPLACE deletes without the trigger above unless recursive_triggers is on.
    """CREATE TRIGGER events_are_never_replaced BEFORE INSERT ON events
        WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id
                     OR (device = NEW.device AND seq = NEW.seq))
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
    """CREATE TABLE memory (
        card TEXT NOT NULL PRIMARY KEY,
        suspended INTEGER NOT NULL,
        buried_on INTEGER,
        flagged INTEGER NOT NULL,
        state TEXT,
        stability DOUBLE PRECISION,
        difficulty DOUBLE PRECISION,
        at_ms BIGINT,
        offset_min INTEGER,
        day INTEGER,
        due_in INTEGER,
        reviews INTEGER,
        lapses INTEGER,
        first_day INTEGER
    )""",
    "CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)",
)

EVENT_COLUMNS = """id TEXT NOT NULL,
        device TEXT NOT NULL,
        seq BIGINT NOT NULL,
        at_ms BIGINT NOT NULL,
        offset_min INTEGER NOT NULL,
        day INTEGER NOT NULL,
        kind TEXT NOT NULL,
        card TEXT NOT NULL,
        body TEXT NOT NULL,
        hash TEXT NOT NULL"""
"""Of the table `events`, in PostgreSQL as well."""

# A store that was copied goes on in two places with the same device and the same numbers. The
# union of the two is a chain that forks, so that no event has to be changed to hold both.
_FORKS: Migration = (
    f"CREATE TABLE united ({EVENT_COLUMNS}, PRIMARY KEY (id))",
    "INSERT INTO united SELECT * FROM events ORDER BY id",
    "DROP TABLE events",
    "ALTER TABLE united RENAME TO events",
    "CREATE INDEX events_in_chains ON events (device, seq)",
    "CREATE INDEX events_by_card ON events (card)",
    "CREATE INDEX events_by_kind ON events (kind, card, id)",
    "CREATE INDEX events_by_day ON events (day)",
    """CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
    """CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
    """CREATE TRIGGER events_are_never_replaced BEFORE INSERT ON events
        WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
)

MIGRATIONS: tuple[Migration, ...] = (_FIRST, _FORKS)
"""The n-th brings a store of version n - 1 to version n; version 0 is an empty file."""


def version(connection: Connection, known: int) -> int:
    """The version of a store, 0 if the file is empty.

    Raises StoreForeignError and StoreTooNewError.
    """
    with connection.snapshot():
        found = _pragma(connection, "user_version")
        application = _pragma(connection, "application_id")
        tables = connection.read("SELECT COUNT(*) FROM sqlite_master")[0][0]
    if application != APPLICATION_ID:
        if found or application or tables:
            raise StoreForeignError.at(connection.path, "it is the SQLite file of another program")
        return 0
    if found > known:
        raise StoreTooNewError.at(connection.path, found, known)
    if found < 1:
        raise StoreForeignError.at(connection.path, "it does not say which version wrote it")
    return found


def migrate(
    connection: Connection,
    migrations: Sequence[Migration] = MIGRATIONS,
    before: Callable[[int], None] = lambda version: None,
) -> None:
    """Bring the store to the newest version, each step a transaction of its own.

    `before` is called once with the old version if there is something to do. Another process may
    do the same at the same time: each step is done by the one that finds it undone.
    """
    old = version(connection, len(migrations))
    if old == len(migrations):
        return
    before(old)
    for target in range(old + 1, len(migrations) + 1):
        with connection.transaction():
            if version(connection, len(migrations)) == target - 1:
                for statement in migrations[target - 1]:
                    connection.write(statement)
                connection.write(f"PRAGMA user_version = {target}")


def objects(connection: Connection) -> set[tuple[str, str]]:
    """The names and definitions of all tables, indexes and triggers."""
    rows = connection.read("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(name, sql) for name, sql in rows}


def _pragma(connection: Connection, name: str) -> int:
    return int(connection.read(f"PRAGMA {name}")[0][0])
