"""Putting a backup in the store's place, after keeping a copy of what was there.

What was there is copied and replaced under one lock: whatever another process acknowledged is in
the copy, or was written after the exchange.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from quizzer.files import flush, make_folder, partial_of, put_in_place
from quizzer.store import backup, copies, files, forks, merge, meta, opening, schema
from quizzer.store.codec import milliseconds
from quizzer.store.connection import Connection
from quizzer.store.errors import (
    StoreDamagedError,
    StoreError,
    StoreForeignError,
    StoreTooNewError,
    StoreUnusableError,
    explained,
)
from quizzer.store.errors import name as shown
from quizzer.store.examine import Found, Step
from quizzer.store.files import base_of
from quizzer.store.ids import Randomness, next_id
from quizzer.store.store import Store
from quizzer.values import study_day

_WHY = "before-restore"


class Replaced(NamedTuple):
    """The copy of what was there before."""

    kept: Path | None = None
    """None if nothing was there."""
    pages_fit: bool = False
    """Whether its pages were looked at, and fit together."""


def restore(
    path: Path,
    source: Path,
    now: datetime,
    *,
    on_wait: Callable[[], None] | None = None,
    step: Step = lambda done, total: None,
    randomness: Randomness = os.urandom,
) -> Replaced:
    """Make the store at `path` hold what the sound backup `source` holds.

    `step` is told how many of its events were looked at. Raises StoreError.
    """
    try:
        _see_that_it_can_be_put_back(path, source)
        file = path.resolve()  # a link stays a link
        make_folder(file.parent)
        with partial_of(file) as staged:
            if base_of(source):
                copies.put_whole(source, staged)
                found = _seen_to_be_sound(staged, source, now, step)
            else:
                found = _seen_to_be_sound(source, source, now, step)
                _copy(source, staged, path)
            memory_fits = not found.memory
            _name_anew(staged, next_id(None, milliseconds(now), randomness), memory_fits)
            return _exchange(path, staged, study_day(now), on_wait)
    except OSError as error:
        raise explained(error, path) from error


def left_behind(path: Path, kept: Path, now: datetime, *, pages_fit: bool) -> int:
    """How many events that may be added to the restored store only the previous one has.

    It is opened for that, and its memory rebuilt if need be, so that no later command has to.
    """
    with Store.open(path, now, backups=False) as store:
        try:
            with closing(Connection.to_file(kept, write=False, stranger=True)) as before:
                if schema.version(before) == schema.FORMAT:
                    if not pages_fit:
                        schema.see_that_no_page_is_used_twice(before)
                    return len(merge.more_in(before, store.path))
        except StoreDamagedError:
            pass
        from quizzer.store.importers import quizzer_log

        return len(merge.sound(quizzer_log.of_store(kept).rows, store.log.hashes()).rows)


def _see_that_it_can_be_put_back(path: Path, source: Path) -> None:
    """Raise StoreUnusableError where there is no backup, or no place for it."""
    opening.see_that_it_may_be_a_store(path)
    opening.see_that_none_builds_on(path)
    if not source.is_file():
        raise StoreUnusableError.at(source, "is not there", "Name a backup that is.")
    if path.exists() and source.samefile(path):
        raise StoreUnusableError.at(source, "is the store itself", "Name a backup of it.")


def _seen_to_be_sound(copy: Path, source: Path, now: datetime, step: Step) -> Found:
    """What a look at every event of the backup found: at most that its memory does not follow.

    It is read as the whole file `copy`. Raises StoreError for one that cannot be put back.
    """
    try:
        with closing(Connection.to_file(copy, write=False, stranger=True)) as looked_at:
            if not schema.see_that_it_is_ours(looked_at):
                raise StoreDamagedError.of_backup(source, "it is empty")
        with Store.open(copy, now, read_only=True) as store:
            found = store.examined(step=step)
    except StoreDamagedError as error:
        raise StoreDamagedError.of_backup(source, error.reason) from error
    except StoreError as error:  # where it was rebuilt, it is gone by now
        said = str(error).replace(shown(copy), shown(source))
        raise type(error)(said, error.reason, error.remedy) from error
    if found.faults:
        raise StoreDamagedError.of_backup(source, found.faults[0])
    return found


def _copy(source: Path, staged: Path, path: Path) -> None:
    """Copy a backup into an empty file, for which errors say `path`.

    Its bytes are copied, as that takes a third of the time of its pages: no other connection of
    this process has the file open, which would lose its locks when the bytes have been read.
    """
    with closing(Connection.to_file(source, write=False)) as held, held.snapshot():
        if held.read("PRAGMA journal_mode") == [("delete",)]:
            held.read("SELECT count(*) FROM sqlite_schema")  # from here on nobody can write to it
            shutil.copyfile(source, staged)
            return
    backup.copy_into(source, staged, path)


def _name_anew(staged: Path, device: str, memory_fits: bool) -> None:
    """Give it a new device: from here the log goes on otherwise than after the backup was made."""
    with closing(Connection.to_file(staged, write=True)) as connection, connection.transaction():
        meta.put(connection, "device", device)
        if not memory_fits:
            meta.remove(connection, meta.FOLD)  # whoever opens it next rebuilds it
        forks.forget(connection)
        meta.remove(connection, meta.COPIED)


def _exchange(path: Path, staged: Path, day: int, on_wait: Callable[[], None] | None) -> Replaced:
    if not path.exists():
        _lay_aside_journal(path, day)
        put_in_place(staged, path)
        return Replaced()
    try:
        with closing(Connection.to_file(path, write=True, on_wait=on_wait)) as old:
            _refuse_foreign(old)
            old.hold_alone()
            schema.see_that_no_page_is_used_twice(old)
            kept = backup.aside(path, day, _WHY, old)
            # Page by page in one transaction: whoever waits for the lock finds what was put back.
            with closing(Connection.to_file(staged, write=False)) as put_back:
                put_back.copy_to(old)
            return Replaced(kept, pages_fit=True)
    except StoreDamagedError:
        return Replaced(_exchange_files(path, staged, day, on_wait))


def _exchange_files(path: Path, staged: Path, day: int, on_wait: Callable[[], None] | None) -> Path:
    """Where SQLite cannot read what is there: keep its bytes, then take its name."""
    # Closing the file before it has lost its name would release SQLite's lock on it.
    with path.open("rb") as old, _held_if_possible(path, on_wait):
        kept = backup.keep_as_is(path, old, day, _WHY)
        files.journal_of(path).unlink(missing_ok=True)
        staged.replace(path.resolve())
        flush(staged.parent)
    return kept


@contextmanager
def _held_if_possible(path: Path, on_wait: Callable[[], None] | None) -> Iterator[None]:
    """Keep others from writing to a file, unless it is too damaged for anybody to write to."""
    with ExitStack() as held:
        try:
            connection = Connection.to_file(path, write=True, on_wait=on_wait)
            held.enter_context(closing(connection))
            connection.hold()
        except StoreDamagedError:
            held.close()
        yield


def _refuse_foreign(old: Connection) -> None:
    """Raise StoreForeignError for another program's file, which must stay where it is.

    Where there are daily backups of it, it is a store whose header is damaged.
    """
    try:
        schema.version(old)
    except StoreTooNewError:
        return
    except StoreForeignError as error:
        if files.listed(old.path):
            raise StoreDamagedError.at(old.path, error.reason) from error
        raise


def _lay_aside_journal(path: Path, day: int) -> None:
    """Move away the journal of a store that is gone: SQLite would apply it to the new one."""
    journal = files.journal_of(path)
    if journal.exists():
        kept = backup.name_aside(path, day, _WHY)
        make_folder(kept.parent)
        journal.replace(kept.with_name(f"{kept.name}-journal"))
