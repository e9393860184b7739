"""What comes before a store can be used: its file, its newest event, its tables, its device."""

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from errno import EACCES
from pathlib import Path

from quizzer.files import make_folder
from quizzer.fsrs.step import Parameters
from quizzer.store import backup, fitted, log, memory_table, meta, old_formats, schema
from quizzer.store.codec import milliseconds
from quizzer.store.connection import Connection
from quizzer.store.errors import (
    MemoryDamagedError,
    StoreDamagedError,
    StoreError,
    StoreTooNewError,
    StoreUnusableError,
    explained,
    name,
)
from quizzer.store.files import base_of, is_built_on, keep_private, listed
from quizzer.store.ids import Randomness, next_id
from quizzer.values import study_day

_LEAST_BYTES = 512
"""SQLite takes a shorter file for an empty one, and would not notice what was lost."""


def connect(
    path: Path, read_only: bool, on_wait: Callable[[], None] | None, patience: float
) -> Connection:
    """Connect after looking at what SQLite would pass over. Raises StoreError."""
    try:
        see_that_it_may_be_a_store(path)
        exists = path.exists()
        size = path.stat().st_size if exists else 0
        if exists and not size and listed(path):
            raise StoreDamagedError.at(path, "the file is empty, yet backups of it exist")
        if not exists and listed(path):
            # A new one's copies would push out the old ones, ten days later the last of them.
            raise StoreUnusableError.at(
                path,
                "is gone, yet backups of it exist",
                "Put it back where it was, or a backup with `quizzer restore FILE`; backups are in "
                f"{name(listed(path)[-1].parent)}. To begin anew, move them elsewhere.",
            )
        if 0 < size < _LEAST_BYTES:
            raise StoreDamagedError.at(path, f"with its {size} bytes it is not a SQLite file")
        if not exists and read_only:
            return Connection.in_memory(path)
        if not read_only:
            see_that_none_builds_on(path)
            make_folder(path.parent)
            for needed in (path, path.parent) if exists else (path.parent,):
                if not os.access(needed, os.W_OK):
                    raise PermissionError(EACCES, f"no permission to write to {needed}")
    except OSError as error:
        raise explained(error, path) from error
    return Connection.to_file(path, write=not read_only, on_wait=on_wait, patience=patience)


def see_that_none_builds_on(path: Path) -> None:
    """Refuse to write to a daily copy that others need as it is. Raises StoreUnusableError."""
    if is_built_on(path):
        raise StoreUnusableError.at(
            path,
            "is a daily copy on which others build",
            "Put it back with `quizzer restore FILE`, or name another file with --store.",
        )


def see_that_it_may_be_a_store(path: Path) -> None:
    """Refuse a path at which no store can be. Raises StoreUnusableError, OSError."""
    if path.is_dir():
        raise StoreUnusableError.at(path, "is a folder", "Name a file with --store.")
    if path.exists() and not path.is_file():
        raise StoreUnusableError.at(path, "is a pipe or a device", "Name a file with --store.")
    if base_of(path):
        raise StoreUnusableError.at(
            path,
            "is a daily copy that is not a whole file",
            "Put it back with `quizzer restore FILE`, or name another file with --store.",
        )
    if path.is_symlink() and not path.exists():
        raise StoreUnusableError.at(
            path,
            f"leads to {name(path.readlink())}, which is not there",
            "Connect the disk that it is on, or name another history with --store.",
        )


def up_to_date(
    connection: Connection,
    steps: Sequence[schema.Migration],
    now: datetime,
    randomness: Randomness,
    warnings: list[str],
    *,
    read_only: bool,
    look: bool,
    newer: bool,
) -> tuple[Connection, Parameters]:
    """Bring the tables up to date and memory to this fold, after a `look` at the newest event.

    To be read only, a store that is not up to date is copied to memory and brought up there. With
    `newer`, one of a newer format is read as far as that is possible.
    Returns the connection to use and the parameters in force.
    """

    copies = list[Path]()

    def before(version: int) -> None:
        if version and not read_only:
            with connection.transaction():
                why = f"format-{version}"
                copies.append(backup.aside(connection.path, study_day(now), why))
            for file in (connection.path, *listed(connection.path)):
                keep_private(file)

    def converted() -> None:
        _take_over_parameters(connection, now, randomness, warnings)

    known = schema.FORMAT + len(steps)
    try:
        version = schema.version(connection, steps)
    except StoreTooNewError as error:
        if newer and read_only:
            return _as_far_as_known(connection, error, warnings)
        raise
    if version >= schema.FORMAT and look and (problem := log.newest_problem(connection)):
        raise StoreDamagedError.at(connection.path, problem)
    if read_only and version < known:
        connection = connection.copied_to_memory()
    try:
        schema.migrate(connection, steps, before, converted)
    except StoreError:
        if schema.version(connection, steps) == version:
            # Each further try would leave another copy of a store that is as it was.
            for copy in copies:
                copy.unlink(missing_ok=True)
        raise
    return _with_this_fold(connection, in_memory=read_only and version == known)


def _with_this_fold(connection: Connection, *, in_memory: bool) -> tuple[Connection, Parameters]:
    """Bring memory to this fold, in a copy `in_memory` if wished; what `up_to_date` returns."""
    parameters = fitted.in_force(connection)
    if memory_table.is_stale(connection, parameters):
        if in_memory:
            connection = connection.copied_to_memory()
        with connection.transaction():
            memory_table.fold_all(connection, parameters)
    return connection, parameters


def _as_far_as_known(
    connection: Connection, error: StoreTooNewError, warnings: list[str]
) -> tuple[Connection, Parameters]:
    """Let a reader into a store of a newer format, if all that is read of one is in it.

    Raises this error otherwise, or where its newest event is not one as we know them.
    """
    if not schema.has_what_is_read(connection):
        raise error
    try:
        if log.newest_problem(connection):
            raise error
        found, parameters = _with_this_fold(connection, in_memory=True)
        memory_table.load(found)
    except (StoreDamagedError, MemoryDamagedError) as unknown:
        raise error from unknown
    warnings.append(
        f"{name(connection.path)} {error.reason.removeprefix('it ')}. It can be read, but not "
        "written to: only update quizzer."
    )
    return found, parameters


def _take_over_parameters(
    connection: Connection, now: datetime, randomness: Randomness, warnings: list[str]
) -> None:
    """Turn the parameters file that an older format had into an event; the file stays.

    Inside the transaction that converts the events.
    """
    path = connection.path
    try:
        fit = old_formats.fit(path)
    except ValueError as error:
        file = name(old_formats.parameters_file(path))
        warnings.append(
            f"{file} {error}: cards are scheduled with the default parameters. "
            "`quizzer fit` learns yours again."
        )
        return
    if fit:
        device = meta.get(connection, "device") or named(connection, now, randomness)
        log.append(connection, device, [fit], now, study_day(now), randomness)


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
