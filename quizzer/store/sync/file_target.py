"""A file to sync with, in a folder that some program copies from machine to machine.

It is a store like any other. It is never written in place: a copy made half-way would be torn. A
new one is written beside it and takes its name.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from shlex import quote
from typing import Any

from msgspec import Struct

from quizzer.files import clear_partials, flush, partial_of
from quizzer.store import backup, log, merge, meta, missing, old_formats, schema
from quizzer.store.codec import Row
from quizzer.store.connection import Connection, identity
from quizzer.store.errors import (
    StoreDamagedError,
    StoreError,
    StoreForeignError,
    StoreTooNewError,
    TargetError,
    explained,
    name,
)
from quizzer.store.files import base_of, is_built_on, unused
from quizzer.store.integrity import fault_of
from quizzer.store.merge import Log
from quizzer.store.store import Store


class FileTarget(Struct, frozen=True):
    """A file that is held, or one that is not there yet."""

    path: Path
    beside: Path
    """A name for what is written before it takes the file's place, this device's own."""
    connection: Connection
    """Holds the file."""
    events: Connection
    """What is read: the same, or a copy in this format of what an older one holds."""
    file: tuple[int, int] | None
    """Which file is held, None if none was there."""
    format: int
    kept: Path | None = None
    """Where a file of an older format will be kept."""
    faults: tuple[str, ...] = ()
    unclaimed: None = None

    @property
    def name(self) -> str:
        return name(self.path)

    @property
    def log(self) -> Log:
        return Log(self._read)

    @property
    def remedy(self) -> str:
        return _remedy(self.path)

    @property
    def vanished(self) -> int:
        with _told(self.path):
            return missing.vanished(self.events)

    @property
    def converted(self) -> str | None:
        if self.kept is None:
            return None
        return (
            f"{self.name} was of format {self.format}; now it is of format {schema.FORMAT}, and "
            f"the old file is kept as {self.kept.name}"
        )

    def add(self, rows: Sequence[Row]) -> None:
        with _told(self.path):
            try:
                with partial_of(self.beside) as partial:
                    self._write(partial, rows)
                    if self.kept:
                        backup.copy(self.path, self.kept)
                    with suppress(FileNotFoundError):
                        shutil.copymode(self.path, partial)
                    if os.name == "nt":  # there, a file that is open cannot be replaced
                        self.connection.close()
                    partial.replace(self.path)
                    flush(self.path.parent)
            except OSError as error:
                raise explained(error, self.path) from error

    def _read(self, sql: str, parameters: Sequence[object]) -> list[Any]:
        with _told(self.path):
            return self.events.read(sql, parameters)

    def _write(self, partial: Path, rows: Sequence[Row]) -> None:
        if _holds_something(self.path) and not self.kept:
            backup.copy_into(self.path, partial, self.path)
        if self.file and identity(self.path) != self.file:
            # What is lacking was found by looking at the file that was held.
            raise TargetError.at(self.name, "was replaced or removed meanwhile", "Sync again.")
        with closing(Connection.to_file(partial, write=True)) as new:
            schema.migrate(new)
            if self.kept:
                rows = [*log.rows(self.events), *rows]
            with new.transaction():
                merge.add(new, rows)
                meta.put(new, "events", str(log.size(new)))
                # Whoever opens it folds the log anew.
                new.write("DELETE FROM memory")
                meta.remove(new, meta.FOLD)
            there = log.hashes(new, [row.id for row in rows])
            if any(there.get(row.id) != row.hash for row in rows):
                raise TargetError.at(self.name, "did not keep what was given to it", self.remedy)


@contextmanager
def opened(path: Path, store: Store, on_wait: Callable[[], None] | None) -> Iterator[FileTarget]:
    """Hold the file, so that two on one machine sync one after the other. Raises StoreError."""
    path = _resolved(path)
    if path.exists() and store.path.exists() and path.samefile(store.path):
        raise TargetError.at(name(path), "is this history itself", "Name another file.")
    if path.is_dir():
        raise TargetError.at(name(path), "is a folder", "Name a file in it.")
    if path.exists() and not path.is_file():
        # To take the name of a pipe or a device would remove it.
        raise TargetError.at(name(path), "is a pipe or a device", "Name a file.")
    if base_of(path) or is_built_on(path):
        raise TargetError.at(name(path), "is a daily copy of a history", "Name another file.")
    if not path.parent.is_dir():
        raise TargetError.at(
            name(path), "cannot be reached, its folder is not there", "Is its disk connected?"
        )
    with _told(path):
        connection, format = _held(path, on_wait)
        file = identity(path) if _holds_something(path) else None
    with closing(connection), ExitStack() as opened_too:
        beside = path.with_name(f"{path.name}.{store.device[-12:]}")
        if file:
            # Left by a process that was killed: while the file is held, no other is at work.
            clear_partials(beside.parent, beside.name, older=0)
        kept = None
        if format in old_formats.FORMATS:
            kept = unused(path.with_name(f"{path.name}.format-{format}"))
        with _told(path):
            events, faults = _in_this_format(connection, format)
            opened_too.callback(events.close)
        yield FileTarget(path, beside, connection, events, file, format, kept, faults)


def _resolved(path: Path) -> Path:
    """Where a link leads to, so that it stays a link. Raises TargetError for one in a circle."""
    try:
        return path.resolve(strict=path.is_symlink() and path.exists())
    except (OSError, RuntimeError) as error:
        if isinstance(error, PermissionError):
            with _told(path):
                raise explained(error, path) from error
        raise TargetError.at(
            name(path), "is a link that leads back to itself", "Remove it, or name another file."
        ) from None


def _in_this_format(connection: Connection, format: int) -> tuple[Connection, tuple[str, ...]]:
    if format not in old_formats.FORMATS:
        return connection, ()
    new = Connection.in_memory(connection.path)
    schema.migrate(new)
    told, looked_at = list[str](), 0
    with new.transaction():
        for rows, unproven in old_formats.events(connection.read, format):
            log.insert(new, [row for row in rows if fault_of(row) is None])
            told += (f"event {row.id}, card {row.card}, is damaged" for row in unproven)
            looked_at += len(rows) + len(unproven)
        if format in old_formats.COUNTED:
            vanished = max(0, log.counted(connection) - looked_at)
            meta.put(new, "events", str(log.counted(new) + vanished))
    return new, tuple(told)


def _held(path: Path, on_wait: Callable[[], None] | None) -> tuple[Connection, int]:
    """A connection that holds the file of this name, and the file's format.

    Its tables were looked at.
    """
    while _holds_something(path):
        before = identity(path)
        connection = Connection.to_file(path, write=True, on_wait=on_wait, stranger=True)
        try:
            format = schema.see_that_it_is_ours(connection)
            connection.hold()
            schema.see_that_pages_fit(connection)
            if identity(path) == before:
                return connection, format
        except BaseException:
            connection.close()
            raise
        connection.close()  # somebody else replaced it: look at the new one
    empty = Connection.in_memory(path)
    schema.migrate(empty)
    return empty, schema.FORMAT


def _holds_something(path: Path) -> bool:
    """Whether there is more than a name; some programs that carry files make an empty one first."""
    return path.exists() and path.stat().st_size > 0


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what is wrong with a store into what is wrong with a target, which is only a copy."""
    try:
        yield
    except (TargetError, StoreTooNewError):
        raise
    except StoreDamagedError as error:
        raise TargetError.damaged(name(path), error.reason, _remedy(path)) from error
    except StoreForeignError as error:
        raise TargetError.at(name(path), f"is not a history: {error.reason}", _ANOTHER) from error
    except StoreError as error:
        remedy = error.remedy.rstrip(".")
        then = f"{remedy}, then sync again." if remedy else "Sync again."
        raise TargetError.at(name(path), error.reason, then) from error


def _remedy(path: Path) -> str:
    return (
        f"`quizzer import {quote(str(path))}` takes what is sound of it. Then rename or remove it "
        "and sync again from each machine: together they make it whole."
    )


_ANOTHER = "Name a file that is one, or one that is not there yet."
