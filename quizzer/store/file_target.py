"""A file to sync with, in a folder that some program carries from machine to machine.

It is a store like any other. It is never written in place: who would carry it away half-way would
carry a torn file. A new one is written beside it and takes its name.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quizzer.store import backup, meta, schema, union
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
from quizzer.store.store import Store
from quizzer.store.union import Log


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A file that is held, or one that is not there yet."""

    path: Path
    partial: Path
    connection: Connection
    file: tuple[int, int] | None
    """Which file is held, None if none was there."""
    unclaimed: None = None

    @property
    def name(self) -> str:
        return name(self.path)

    @property
    def log(self) -> Log:
        return Log(self._read)

    @property
    def remedy(self) -> str:
        return _REMEDY

    def add(self, rows: Sequence[Row]) -> None:
        with _told(self.path):
            try:
                self._write_partial(rows)
                with suppress(FileNotFoundError):
                    shutil.copymode(self.path, self.partial)
                if os.name == "nt":  # there, a file that is open cannot be replaced
                    self.connection.close()
                self.partial.replace(self.path)
                backup.flush(self.path.parent)
            except OSError as error:
                raise explained(error, self.path) from error
            finally:
                _clear(self.partial)

    def _read(self, sql: str, parameters: Sequence[object]) -> list[Any]:
        with _told(self.path):
            return self.connection.read(sql, parameters)

    def _write_partial(self, rows: Sequence[Row]) -> None:
        if _holds_something(self.path):
            backup.copy(self.path, self.partial)
        if self.file and identity(self.path) != self.file:
            # What lacks was found by looking at the file that was held.
            raise TargetError.at(self.name, "was replaced or removed meanwhile", "Sync again.")
        with closing(Connection.to_file(self.partial, write=True)) as new:
            schema.migrate(new)
            with new.transaction():
                union.add(new, rows)
                # Whoever opens it makes memory from the log, with parameters of his own.
                new.write("DELETE FROM memory")
                meta.remove(new, "fold")


@contextmanager
def opened(path: Path, store: Store, on_wait: Callable[[], None] | None) -> Iterator[FileTarget]:
    """Hold the file, so that two on one machine sync one after the other. Raises StoreError."""
    path = path.resolve()  # a link to a file stays a link
    if path.exists() and store.path.exists() and path.samefile(store.path):
        raise TargetError.at(name(path), "is this history itself", "Name another file.")
    if path.is_dir():
        raise TargetError.at(name(path), "is a folder", "Name a file in it.")
    if path.exists() and not path.is_file():
        # To take the name of a pipe or a device would remove it.
        raise TargetError.at(name(path), "is a pipe or a device", "Name a file.")
    if not path.parent.is_dir():
        raise TargetError.at(
            name(path), "cannot be reached, its folder is not there", "Is its disk connected?"
        )
    with _told(path):
        connection = _held(path, on_wait)
        file = identity(path) if _holds_something(path) else None
    with closing(connection):
        mine = path.with_name(f"{path.name}.{store.device[-12:]}")
        if file:
            _clear(mine)  # by a process that was killed: no other is at it while the file is held
        partial = mine.with_name(f"{mine.name}-{os.getpid()}.partial")
        yield FileTarget(path, partial, connection, file)


def _clear(beginning: Path) -> None:
    """Remove the files half written whose names begin so."""
    with suppress(OSError):
        for file in beginning.parent.iterdir():
            if file.name.startswith(beginning.name) and ".partial" in file.name:
                file.unlink()


def _held(path: Path, on_wait: Callable[[], None] | None) -> Connection:
    """A connection in a transaction to the file that bears this name while it waits for it."""
    while _holds_something(path):
        before = identity(path)
        connection = Connection.to_file(path, write=True, on_wait=on_wait)
        try:
            schema.version(connection, len(schema.MIGRATIONS))
            connection.hold()
            if identity(path) == before:
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()  # somebody else replaced it: look at the new one
    empty = Connection.in_memory(path)
    schema.migrate(empty)
    return empty


def _holds_something(path: Path) -> bool:
    """Whether there is more than a name; some carriers make an empty file first."""
    return path.exists() and path.stat().st_size > 0


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what is wrong with a store into what is wrong with a target, which is only a copy."""
    try:
        yield
    except (TargetError, StoreTooNewError):
        raise
    except StoreDamagedError as error:
        raise TargetError.damaged(name(path), error.reason, _REMEDY) from error
    except StoreForeignError as error:
        raise TargetError.at(name(path), f"is no history: {error.reason}", _ANOTHER) from error
    except StoreError as error:
        remedy = error.remedy.rstrip(".")
        then = f"{remedy}, then sync again." if remedy else "Sync again."
        raise TargetError.at(name(path), error.reason, then) from error


_REMEDY = "Rename or remove it and sync again from each machine: together they make it whole."
_ANOTHER = "Name a file that is one, or one that is not there yet."
