"""Putting a backup in the store's place, after what stood there was kept."""

import os
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from quizzer.review import study_day
from quizzer.store import backup, meta, schema
from quizzer.store.codec import milliseconds
from quizzer.store.connection import Connection
from quizzer.store.errors import (
    StoreDamagedError,
    StoreForeignError,
    StoreTooNewError,
    StoreUnusableError,
    explained,
)
from quizzer.store.ids import Randomness, next_id
from quizzer.store.store import Store


def restore(
    path: Path,
    source: Path,
    now: datetime,
    *,
    on_wait: Callable[[], None] | None = None,
    randomness: Randomness = os.urandom,
) -> Path | None:
    """Make the store at `path` hold what the sound backup `source` holds.

    Returns the copy of what stood there before, `None` if nothing did. Raises StoreError.
    """
    _refuse_unsound(path, source, now)
    staged = path.with_name(f"{path.name}.restoring")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        staged.unlink(missing_ok=True)
        backup.copy(source, staged)
        _name_anew(staged, next_id(None, milliseconds(now), randomness))
        return _exchange(path, staged, study_day(now), on_wait)
    except OSError as error:
        raise explained(error, path) from error
    finally:
        staged.unlink(missing_ok=True)


def _refuse_unsound(path: Path, source: Path, now: datetime) -> None:
    if not source.is_file():
        raise StoreUnusableError.at(source, "is not there", "Name a backup that is.")
    if path.exists() and source.samefile(path):
        raise StoreUnusableError.at(source, "is the store itself", "Name a backup of it.")
    with Store.open(source, now, read_only=True) as copy:
        if problems := copy.check():
            raise StoreDamagedError.at(source, problems[0])


class _BentHeaderError(Exception):
    """The store's first page no longer says that it is one."""


def _refuse_foreign(old: Connection) -> None:
    """Raise StoreForeignError for another program's file, which must stay where it is.

    Where daily backups lie beside it, a store stood there: then its header is damaged.
    """
    try:
        with suppress(StoreTooNewError):
            schema.version(old, len(schema.MIGRATIONS))
    except StoreForeignError as error:
        if backup.listed(old.path):
            raise _BentHeaderError from error
        raise


def _name_anew(staged: Path, device: str) -> None:
    """From here the log goes another way than after the backup was made: as another device."""
    with closing(Connection.to_file(staged, write=True)) as connection, connection.transaction():
        meta.put(connection, "device", device)


def _exchange(
    path: Path, staged: Path, day: int, on_wait: Callable[[], None] | None
) -> Path | None:
    if not path.exists():
        _lay_aside_journal(path, day)
        staged.replace(path)
        return None
    try:
        with closing(Connection.to_file(path, write=True, on_wait=on_wait)) as old:
            _refuse_foreign(old)
            kept = backup.aside(old, day, "before-restore")
            with closing(Connection.to_file(staged, write=False)) as new:
                new.copy_to(old)
            return kept
    except (StoreDamagedError, _BentHeaderError):
        kept = backup.keep_as_is(path, day, "before-restore")
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
        staged.replace(path)
        return kept


def _lay_aside_journal(path: Path, day: int) -> None:
    """Of a store that is gone: SQLite would take it for one of the store put in its place."""
    journal = path.with_name(f"{path.name}-journal")
    if journal.exists():
        kept = backup.unused(path, day, "before-restore")
        kept.parent.mkdir(parents=True, exist_ok=True)
        journal.replace(kept.with_name(f"{kept.name}-journal"))
