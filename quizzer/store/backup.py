"""Copies of the store in a folder of its own beside it; no copy is written over another."""

import shutil
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from typing import BinaryIO

from quizzer.files import make_folder
from quizzer.store import examine
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, StoreUnusableError, explained
from quizzer.store.files import (
    backups,
    clear,
    journal_of,
    listed,
    partial_of,
    put_in_place,
    unused,
)

KEPT = 10
"""Daily copies. Those made before a conversion or a restore are kept for good."""


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
        clear(target.parent, "", older=0)  # by killed processes: nobody else copies to it now
        copy(connection.path, target)
    # Those of days to come were made while the clock was wrong: they push out none of today.
    until_now = [file for file in listed(connection.path, older=False) if file.name <= target.name]
    for old in until_now[:-KEPT]:
        with suppress(OSError):
            old.unlink()


def aside(path: Path, day: int, why: str) -> Path:
    """A further copy, named after the day and the reason, kept until the learner removes it."""
    target = name_aside(path, day, why)
    copy(path, target)
    return target


def verified(connection: Connection) -> bool:
    """Whether there are events. Raises StoreDamagedError if one is missing or not as written."""
    found = examine.of_the_log(connection)
    if problems := [*found.damage, *found.missing]:
        raise StoreDamagedError.at(connection.path, problems[0])
    return found.events > 0


def copy(path: Path, target: Path) -> None:
    """Copy the store to a file that must not be there yet; whole or not at all.

    A connection of its own reads: SQLite copies from none that is in a transaction.
    """
    if target.exists():
        raise StoreUnusableError.at(target, "is already there", "Give a name that is not taken.")
    source = Connection.to_file(path, write=False)
    try:
        make_folder(target.parent)
        with partial_of(target) as partial:
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


def keep_as_is(path: Path, opened: BinaryIO, day: int, why: str) -> Path:
    """Copy a file that SQLite cannot read, byte by byte, with a journal that lies beside it."""
    target = name_aside(path, day, why)
    try:
        make_folder(target.parent)
        with target.open("xb") as kept:
            target.chmod(0o600)
            shutil.copyfileobj(opened, kept)
        journal = journal_of(path)
        if journal.exists():
            shutil.copyfile(journal, target.with_name(f"{target.name}-journal"))
    except OSError as error:
        raise explained(error, target) from error
    return target


def name_aside(path: Path, day: int, why: str) -> Path:
    """A name in the folder of backups that nobody bears yet."""
    return unused(_named(path, day, f"-{why}"))


def _named(path: Path, day: int, suffix: str = "") -> Path:
    return backups(path) / f"{path.stem}-{date.fromordinal(day).isoformat()}{suffix}.db"
