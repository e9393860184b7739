"""Copies of the store, in a folder beside it; no copy is written over another.

Every tenth daily copy is a whole file. Those between hold what was added since (`additions`).
"""

import os
import shutil
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from typing import BinaryIO

from quizzer.files import clear_partials, make_folder, partial_of, put_in_place
from quizzer.store import proof
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreUnusableError, explained
from quizzer.store.files import backups, base_of, journal_of, listed, since, unused

KEPT = 10
"""Daily copies that are kept, besides one on which they build.

Those made before a conversion or a restore stay for good.
"""
LARGE = 1 << 20
"""Bytes; of a smaller history every daily copy is a whole file."""


def daily(connection: Connection, day: int) -> None:
    """Copy the store if this study day has no copy yet, and remove the oldest beyond ten.

    Raises StoreError if the log is damaged or no copy can be made; nothing is removed then, nor
    while the whole log was not proven for a week.
    """
    target = _named(connection.path, day)
    if _is_made(connection.path, target):
        return
    newest = proof.of_new(connection)
    with connection.transaction():
        # Whoever held the lock before may have made it.
        if newest is None or _is_made(connection.path, target):
            return
        # Those of killed processes: nobody else copies to this folder now.
        clear_partials(target.parent, "", older=0)
        clear_partials(connection.path.parent, connection.path.name)
        base = _base(connection.path, target)
        if not (base and _put_additions(connection, base, since(target, base))):
            copy(connection.path, target)
            _remember(connection, target)
        proof.remember_new(connection, newest)
        if not proof.is_due(connection, day):
            _remove_old(connection.path, target)


def aside(path: Path, day: int, why: str, held: Connection | None = None) -> Path:
    """A further copy, named after the day and the reason, kept until the learner removes it.

    Where a connection holds the store alone, it reads.
    """
    target = name_aside(path, day, why)
    copy(path, target, held)
    return target


def copy(path: Path, target: Path, held: Connection | None = None) -> None:
    """Copy the store to a file that must not be there yet; whole or not at all. Raises StoreError.

    A connection of its own reads: SQLite copies from none that is in a transaction. Where another
    one holds the store alone, that one reads.
    """
    try:
        if target.exists():
            raise FileExistsError
        make_folder(target.parent)
        with partial_of(target) as partial:
            if held:
                put_into(held, partial, target)
            else:
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
    with closing(Connection.to_file(path, write=False)) as source:
        put_into(source, empty, named)


def put_into(source: Connection, empty: Path, named: Path) -> None:
    """The same from a connection that is in no transaction."""
    with closing(Connection.to_file(empty, write=True)) as copied:
        source.copy_to(copied, named)


def keep_as_is(path: Path, opened: BinaryIO, day: int, why: str) -> Path:
    """Copy a file that SQLite cannot read byte by byte, with the journal beside it."""
    target = name_aside(path, day, why)
    try:
        make_folder(target.parent)
        journal = journal_of(path)
        if journal.exists():
            with journal.open("rb") as pages:
                _put(pages, target.with_name(f"{target.name}-journal"))
        _put(opened, target)
    except OSError as error:
        raise explained(error, target) from error
    return target


def _put(opened: BinaryIO, target: Path) -> None:
    """Copy what is open to a private file; on the disk, whole or not at all."""
    with partial_of(target) as partial:
        with partial.open("wb") as kept:
            shutil.copyfileobj(opened, kept)
            kept.flush()
            os.fsync(kept.fileno())
        put_in_place(partial, target)


def name_aside(path: Path, day: int, why: str) -> Path:
    """A name in the folder of backups that is not taken yet."""
    return unused(_named(path, day, f"-{why}"))


def _named(path: Path, day: int, suffix: str = "") -> Path:
    return backups(path) / f"{path.stem}-{date.fromordinal(day).isoformat()}{suffix}.db"


def _is_made(path: Path, target: Path) -> bool:
    """Whether the day of this copy has one already, of either kind."""
    return any(file.stem == target.stem for file in listed(path, older=False))


def _base(path: Path, target: Path) -> Path | None:
    """The whole one among the copies before this one, None if it is time for another."""
    before = [file for file in listed(path, older=False) if file.stem < target.stem]
    return next((file for file in reversed(before[1 - KEPT :]) if not base_of(file)), None)


def _put_additions(connection: Connection, base: Path, target: Path) -> bool:
    """Put what was added since `base` in place, if it is little; whether it was.

    Inside a transaction, so that nobody adds to it meanwhile.
    """
    from quizzer.store import additions

    try:
        if connection.path.stat().st_size < LARGE:
            return False
        with partial_of(target) as partial:
            if not additions.write(connection, base, partial):
                return False
            put_in_place(partial, target)
    except OSError:  # one of both cannot be read, there is no room, the name is too long
        return False
    return True


def _remember(connection: Connection, made: Path) -> None:
    """Remember what this whole copy holds, so that later ones can build on it."""
    from quizzer.store import additions

    with suppress(OSError):  # then the next one is a whole file, too
        if made.stat().st_size >= LARGE // 2:  # it may be long before the next whole one
            additions.remember(connection, made)


def _remove_old(path: Path, newest: Path) -> None:
    """Remove the copies beyond ten, but none on which one that is there builds.

    Copies of later days were made while the clock was wrong: they push out none of these.
    """
    until_now = [file for file in listed(path, older=False) if file.stem <= newest.stem]
    old = until_now[:-KEPT]
    for file in filter(base_of, old):
        with suppress(OSError):
            file.unlink()
    needed = {base_of(file) for file in listed(path, older=False)}
    for file in old:
        if not base_of(file) and file not in needed:
            with suppress(OSError):
                file.unlink()
