"""Copies of the store, in a folder beside it; no copy is written over another."""

import shutil
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from typing import BinaryIO

from quizzer.files import PRIVATE, clear_partials, make_folder, partial_of, put_in_place
from quizzer.store import proof
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreUnusableError, explained
from quizzer.store.files import backups, journal_of, listed, unused

KEPT = 10
"""Daily copies that are kept. Those made before a conversion or a restore stay for good."""


def daily(connection: Connection, day: int) -> None:
    """Copy the store if this study day has no copy yet, and remove the oldest beyond ten.

    Raises StoreError if the log is damaged or no copy can be made; nothing is removed then, nor
    while the whole log was not proven for a week.
    """
    target = _named(connection.path, day)
    if target.exists():
        return
    newest = proof.of_new(connection)
    with connection.transaction():
        # Whoever held the lock before may have made it.
        if target.exists() or newest is None:
            return
        proof.remember_new(connection, newest)
        # Those of killed processes: nobody else copies to this folder now.
        clear_partials(target.parent, "", older=0)
        copy(connection.path, target)
    if proof.is_due(connection, day):
        return
    # Copies of later days were made while the clock was wrong: they push out none of these.
    until_now = [file for file in listed(connection.path, older=False) if file.name <= target.name]
    for old in until_now[:-KEPT]:
        with suppress(OSError):
            old.unlink()


def aside(path: Path, day: int, why: str) -> Path:
    """A further copy, named after the day and the reason, kept until the learner removes it."""
    target = name_aside(path, day, why)
    copy(path, target)
    return target


def copy(path: Path, target: Path) -> None:
    """Copy the store to a file that must not be there yet; whole or not at all. Raises StoreError.

    A connection of its own reads: SQLite copies from none that is in a transaction.
    """
    try:
        if target.exists():
            raise FileExistsError
        make_folder(target.parent)
        with partial_of(target) as partial:
            copy_into(path, partial, target)
            put_in_place(partial, target)
    except FileExistsError as error:
        raise StoreUnusableError.at(
            target, "is already there", "Give a name that is not taken."
        ) from error
    except OSError as error:
        raise explained(error, target) from error


def copy_into(path: Path, empty: Path, named: Path) -> None:
    """Copy the store into an empty file, for which errors say `named`. Raises StoreError."""
    with (
        closing(Connection.to_file(path, write=False)) as source,
        closing(Connection.to_file(empty, write=True)) as copied,
    ):
        source.copy_to(copied, named)


def keep_as_is(path: Path, opened: BinaryIO, day: int, why: str) -> Path:
    """Copy a file that SQLite cannot read byte by byte, with the journal beside it."""
    target = name_aside(path, day, why)
    try:
        make_folder(target.parent)
        with target.open("xb") as kept:
            target.chmod(PRIVATE)
            shutil.copyfileobj(opened, kept)
        journal = journal_of(path)
        if journal.exists():
            shutil.copyfile(journal, target.with_name(f"{target.name}-journal"))
    except OSError as error:
        raise explained(error, target) from error
    return target


def name_aside(path: Path, day: int, why: str) -> Path:
    """A name in the folder of backups that is not taken yet."""
    return unused(_named(path, day, f"-{why}"))


def _named(path: Path, day: int, suffix: str = "") -> Path:
    return backups(path) / f"{path.stem}-{date.fromordinal(day).isoformat()}{suffix}.db"
