"""What comes before a store can be used: its file, its newest event, its tables, its own name."""

import os
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from errno import EACCES
from pathlib import Path

from quizzer.review import study_day
from quizzer.schedule.fsrs import Parameters
from quizzer.store import backup, log, meta, schema, table
from quizzer.store.codec import instant, milliseconds, offset_minutes
from quizzer.store.connection import Connection
from quizzer.store.errors import (
    StoreDamagedError,
    StoreUnusableError,
    backups,
    explained,
    name,
)
from quizzer.store.ids import Randomness, milliseconds_of, next_id

CLOCK_SLACK = timedelta(minutes=30)
"""By how much the clock may be behind the newest event, as that of another device may be."""

_LEAST_BYTES = 512
"""SQLite takes a shorter file for an empty one, and would pass over what was lost."""


def connect(
    path: Path, read_only: bool, on_wait: Callable[[], None] | None, patience: float
) -> Connection:
    """Connect after looking at what SQLite would pass over. Raises StoreError."""
    try:
        if path.is_dir():
            raise StoreUnusableError.at(path, "is a folder", "Name a file with --store.")
        exists = path.exists()
        size = path.stat().st_size if exists else 0
        if exists and not size and backup.listed(path):
            raise StoreDamagedError.at(path, "the file is empty, yet backups of it exist")
        if not exists and backup.listed(path):
            # A new one's copies would push out the old ones, ten days later the last of them.
            raise StoreUnusableError.at(
                path,
                "is gone, yet backups of it exist",
                "Put it back where it was, or a backup with `quizzer restore FILE`; backups are in "
                f"{name(backups(path))}. To begin anew, move them elsewhere.",
            )
        if 0 < size < _LEAST_BYTES:
            raise StoreDamagedError.at(path, f"with its {size} bytes it is no SQLite file")
        if not exists and read_only:
            return Connection.in_memory(path)
        if not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
            for needed in (path, path.parent) if exists else (path.parent,):
                if not os.access(needed, os.W_OK):
                    raise PermissionError(EACCES, f"no permission to write to {needed}")
    except OSError as error:
        raise explained(error, path) from error
    return Connection.to_file(path, write=not read_only, on_wait=on_wait, patience=patience)


def up_to_date(
    connection: Connection,
    parameters: Parameters,
    migrations: Sequence[schema.Migration],
    now: datetime,
    *,
    read_only: bool,
    look: bool,
) -> Connection:
    """Bring the tables up to date, and memory to this fold's; `look` at the newest event first.

    To be read only, a store that is not up to date is copied to memory, and brought up there.
    """

    def before(version: int) -> None:
        if version and not read_only:
            backup.aside(connection, study_day(now), f"format-{version}")

    known = len(migrations)
    version = schema.version(connection, known)
    if version and look and (problem := log.newest_problem(connection)):
        raise StoreDamagedError.at(connection.path, problem)
    if read_only and (version < known or table.is_stale(connection, parameters)):
        connection = connection.copied_to_memory()
    schema.migrate(connection, migrations, before)
    if table.is_stale(connection, parameters):
        with connection.transaction():
            table.fold_all(connection, parameters)
    return connection


def own_device(connection: Connection, now: datetime, randomness: Randomness) -> str:
    """The name of this device in the log, given when the store is made."""
    device = meta.get(connection, "device")
    if device is None:
        with connection.transaction():
            device = meta.get(connection, "device")
            if device is None:
                device = named(connection, now, randomness)
    return device


def named(connection: Connection, now: datetime, randomness: Randomness) -> str:
    """A new name for this device. Inside a transaction."""
    device = next_id(None, milliseconds(now), randomness)
    meta.put(connection, "device", device)
    return device


def clock_warning(connection: Connection, now: datetime) -> str | None:
    """What to tell where the clock is behind the newest event."""
    newest = log.newest_id(connection)
    try:
        latest = instant(milliseconds_of(newest), offset_minutes(now)) if newest else now
    except (ValueError, OverflowError):
        return None  # An id that tells no time; the look at the log says what is wrong with it.
    if latest - now <= CLOCK_SLACK:
        return None
    return (
        f"The clock says {now:%Y-%m-%d %H:%M}, but the newest entry of your history is of "
        f"{latest:%Y-%m-%d %H:%M}. If it is wrong, set it right, and take back what you "
        "rate meanwhile with `quizzer undo`."
    )
