"""Copies of the store in the folder `backups` beside it; no copy is written over another."""

import os
import re
import shutil
from contextlib import closing, suppress
from datetime import date
from errno import EEXIST
from pathlib import Path

from quizzer.store import chain, log
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, StoreUnusableError, backups, explained

KEPT = 10
"""Daily copies. Those made before a migration or a restore are kept for good."""


def daily(connection: Connection, day: int) -> None:
    """Copy the store if this study day has no copy yet; the oldest beyond ten go.

    Raises StoreError if the log is damaged or no copy can be made; nothing is removed then.
    """
    target = _named(connection.path, day)
    if target.exists():
        return
    with connection.transaction():
        # Whoever held the lock before may have made it.
        if target.exists() or not verified(connection):
            return
        copy(connection.path, target)
    for old in listed(connection.path)[:-KEPT]:
        with suppress(OSError):
            old.unlink()


def aside(connection: Connection, day: int, why: str) -> Path:
    """A further copy, named after the day and the reason, kept until the learner removes it."""
    with connection.transaction():
        verified(connection)
        target = unused(connection.path, day, why)
        copy(connection.path, target)
    return target


def listed(path: Path) -> list[Path]:
    """The daily copies of a store, oldest first."""
    pattern = re.compile(re.escape(path.stem) + r"-\d{4}-\d\d-\d\d\.db")
    with suppress(OSError):
        found = [file for file in backups(path).iterdir() if pattern.fullmatch(file.name)]
        return sorted(found)
    return []


def verified(connection: Connection) -> bool:
    """Whether there are events. Raises StoreDamagedError if one is not as it was written."""
    found = log.in_chains(connection)
    if problems := chain.problems(found):
        raise StoreDamagedError.at(connection.path, problems[0])
    return bool(found)


def copy(path: Path, target: Path) -> None:
    """Copy the store to a file that must not be there yet; whole or not at all.

    A connection of its own reads: SQLite copies from none that is in a transaction.
    """
    if target.exists():
        raise StoreUnusableError.at(target, "is already there", "Give a name that is not taken.")
    partial = target.with_name(f"{target.name}.partial")
    source = Connection.to_file(path, write=False)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        with closing(Connection.to_file(partial, write=True)) as copied:
            source.copy_to(copied)
        put_in_place(partial, target)
    except FileExistsError as error:
        raise StoreUnusableError.at(
            target, "is already there", "Give a name that is not taken."
        ) from error
    except OSError as error:
        raise explained(error, target) from error
    finally:
        source.close()
        for left in (partial, partial.with_name(f"{partial.name}-journal")):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def keep_as_is(path: Path, day: int, why: str) -> Path:
    """Copy a file that SQLite cannot read, byte by byte, with a journal that lies beside it."""
    target = unused(path, day, why)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        journal = path.with_name(f"{path.name}-journal")
        if journal.exists():
            shutil.copyfile(journal, target.with_name(f"{target.name}-journal"))
    except OSError as error:
        raise explained(error, target) from error
    return target


def unused(path: Path, day: int, why: str) -> Path:
    """A name in the folder of backups that nobody bears yet."""
    first = _named(path, day, f"-{why}")
    number = 2
    target = first
    while target.exists():
        target = first.with_stem(f"{first.stem}-{number}")
        number += 1
    return target


def put_in_place(finished: Path, target: Path) -> None:
    """Give a finished file its name. Raises FileExistsError if something bears it by now."""
    try:
        os.link(finished, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without a second name for a file
        if target.exists():
            raise FileExistsError(EEXIST, os.strerror(EEXIST)) from None
        finished.replace(target)
    finished.unlink(missing_ok=True)
    flush(target.parent)


def flush(folder: Path) -> None:
    """Bring a new name to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _named(path: Path, day: int, suffix: str = "") -> Path:
    return backups(path) / f"{path.stem}-{date.fromordinal(day).isoformat()}{suffix}.db"
