"""The tables, and how a store of an older format becomes one of this format."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256

from quizzer.store import layout, old_formats
from quizzer.store.codec import Row
from quizzer.store.connection import APPLICATION_ID, Connection
from quizzer.store.errors import (
    StoreDamagedError,
    StoreError,
    StoreForeignError,
    StoreTooNewError,
)

FORMAT = 4

Migration = tuple[str, ...]
"""Statements, run one by one in one transaction."""

_EVENTS = (
    """CREATE TABLE events (
        id BLOB NOT NULL PRIMARY KEY,
        device BLOB NOT NULL,
        after BLOB NOT NULL,
        at_ms INTEGER NOT NULL,
        offset_min INTEGER NOT NULL,
        day INTEGER NOT NULL,
        kind TEXT NOT NULL,
        card TEXT NOT NULL,
        body TEXT NOT NULL,
        hash BLOB NOT NULL
    )""",
    # Ids sort by time: what happened on a day, or last on a device, is at the end.
    "CREATE INDEX events_by_card ON events (card)",
    "CREATE INDEX events_by_kind ON events (kind) WHERE kind <> 'review'",
    """CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
    """CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
    # INSERT OR REPLACE deletes without the trigger above unless recursive_triggers is on.
    """CREATE TRIGGER events_are_never_replaced BEFORE INSERT ON events
        WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END""",
)
_OTHERS = (
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
STEPS: tuple[Migration, ...] = ()
"""The n-th brings a store of format 3 + n to the next one. No format has followed yet."""
NEWEST = FORMAT + len(STEPS)
"""The format of every store that is written to."""

_COLUMNS = ", ".join(Row._fields)
INSERT = f"INSERT INTO events ({_COLUMNS}) VALUES ({', '.join('?' * len(Row._fields))})"


def version(connection: Connection, steps: Sequence[Migration] = STEPS) -> int:
    """The format of a store, 0 if the file is empty.

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
    known = FORMAT + len(steps)
    if found > known:
        raise StoreTooNewError.at(connection.path, found, known)
    if found < 1:
        raise StoreForeignError.at(connection.path, "it does not say which version wrote it")
    return found


def has_what_is_read(connection: Connection) -> bool:
    """Whether a store of another format has all tables and columns of this one."""
    expected = Connection.in_memory(connection.path)
    try:
        migrate(expected)
        return _columns(expected) <= _columns(connection)
    finally:
        expected.close()


def migrate(
    connection: Connection,
    steps: Sequence[Migration] = STEPS,
    before: Callable[[int], None] = lambda version: None,
    converted: Callable[[], None] = lambda: None,
) -> None:
    """Bring the store to the newest format, each step a transaction of its own.

    `before` is called once with the old format if there is something to do; `converted` inside the
    transaction that converted events whose hashes were chained. Another process may do the
    same at the same time: each step is done by the one that finds it undone.
    """
    old = version(connection, steps)
    if old == FORMAT + len(steps):
        return
    before(old)
    if old < FORMAT:
        with connection.transaction():
            if version(connection, steps) == old:
                _make(connection, old)
                if old in old_formats.CHAINED:
                    converted()
        if old:
            with suppress(StoreError):  # without room for it, the file stays as large as it was
                connection.read("VACUUM")
    for target in range(max(old, FORMAT) + 1, FORMAT + len(steps) + 1):
        with connection.transaction():
            if version(connection, steps) == target - 1:
                for statement in steps[target - FORMAT - 1]:
                    connection.write(statement)
                connection.write(f"PRAGMA user_version = {target}")


def objects(connection: Connection) -> list[tuple[str, str, str, str]]:
    """All tables, indexes and triggers, with their definitions, in one order."""
    columns = "type, name, tbl_name, sql"
    rows = connection.read(f"SELECT {columns} FROM sqlite_master WHERE sql IS NOT NULL")
    return sorted((str(a), str(b), str(c), str(d)) for a, b, c, d in rows)


def differing(connection: Connection) -> list[str]:
    """The names of tables, indexes and triggers that are not as quizzer makes them."""
    found = set(objects(connection))
    expected = Connection.in_memory(connection.path)
    try:
        migrate(expected)
        return sorted({name for _, name, *_ in found ^ set(objects(expected))})
    finally:
        expected.close()


def see_that_it_is_ours(connection: Connection) -> int:
    """The format of somebody's store, after a look at its tables and before any of them is read.

    A view or trigger under one of our names could do as it likes. Raises StoreError.
    """
    found = version(connection)
    if found in old_formats.SCHEMAS:
        told = sha256(json.dumps(objects(connection)).encode("utf-8", "replace")).hexdigest()
        if told != old_formats.SCHEMAS[found]:
            raise StoreDamagedError.at(connection.path, "its tables are not as quizzer made them")
    elif found and (names := differing(connection)):
        what = f"its table, index or trigger {names[0]} is not as quizzer makes it"
        raise StoreDamagedError.at(connection.path, what)
    return found


def see_that_pages_fit(connection: Connection) -> None:
    """Raise StoreDamagedError for a file in which SQLite might use a page twice."""
    if connection.read("PRAGMA integrity_check(1)") != [("ok",)]:
        raise StoreDamagedError.at(connection.path, "its pages do not fit together")


def see_that_no_page_is_used_twice(connection: Connection) -> None:
    """The same, but for what indexes list: enough where all of a file is to be replaced."""
    if connection.read("PRAGMA quick_check(1)") != [("ok",)]:
        raise StoreDamagedError.at(connection.path, "its pages do not fit together")


def _make(connection: Connection, old: int) -> None:
    """The tables of this format, with the events of the old one. Inside a transaction."""
    if old:
        old_formats.lay_aside(connection)
    else:
        connection.write(f"PRAGMA application_id = {APPLICATION_ID}")
        for statement in _OTHERS:
            connection.write(statement)
    for statement in _EVENTS:
        connection.write(statement)
    count = _take_over(connection, old) if old else 0
    if old not in old_formats.COUNTED:
        connection.write("INSERT INTO meta (name, content) VALUES ('events', ?)", (str(count),))
    connection.write(f"PRAGMA user_version = {FORMAT}")


def _take_over(connection: Connection, old: int) -> int:
    """Convert the events that were laid aside; how many there are."""
    count = 0
    for rows, unproven in old_formats.events(connection.read, old, old_formats.ASIDE):
        if unproven:
            what = f"event {unproven[0].id} is not as it was written"
            raise StoreDamagedError.at(connection.path, what)
        if rows:
            connection.write(INSERT, *map(layout.kept, rows))
            count += len(rows)
    connection.write(f"DROP TABLE {old_formats.ASIDE}")
    if old in old_formats.CHAINED:
        connection.write("DELETE FROM memory")
        connection.write("DELETE FROM meta WHERE name = 'fold'")
    return count


def _columns(connection: Connection) -> set[tuple[str, str]]:
    """Each column with its table; a view has none."""
    tables = connection.read("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {
        (table, column)
        for (table,) in tables
        for (column,) in connection.read("SELECT name FROM pragma_table_info(?)", (table,))
    }


def _pragma(connection: Connection, name: str) -> int:
    return int(connection.read(f"PRAGMA {name}")[0][0])
