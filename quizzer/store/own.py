"""Events from a file of ours that may be damaged: an export, a store, a backup, a synced file."""

import shutil
import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from quizzer.store import carving, exported, log, older, schema
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, StoreForeignError, StoreTooNewError
from quizzer.store.exported import is_as_written
from quizzer.store.older import OldRow
from quizzer.text import one_line


@dataclass(frozen=True, slots=True)
class OwnLog:
    """Rows as a file holds them, some perhaps damaged, and what is wrong with the rest of it."""

    rows: list[Row]
    faults: tuple[str, ...] = ()


def of_lines(text: str) -> OwnLog:
    """What an export tells, of this format or of an older one."""
    rows, old, faults = list[Row](), list[OldRow](), list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values = exported.parsed(line)
            if row := older.row_of(dict(values)):
                old.append(row)
            else:
                rows.append(exported.row_of(line))
        except (ValueError, TypeError) as error:
            faults.append(f"line {number}: {one_line(str(error))}")
    if old:
        return _with_old(rows, old, faults)
    return OwnLog(rows, tuple(faults))


def of_store(path: Path) -> OwnLog:
    """What a store holds. Raises StoreError for a file of another program, or of a newer quizzer.

    Where its tables are others than ours, or its pages do not fit together, it is not asked, but
    searched for events.
    """
    try:
        with closing(_copied(path)) as connection:
            version = schema.see_that_it_is_ours(connection)
            if connection.read("PRAGMA integrity_check(1)") != [("ok",)]:
                raise StoreDamagedError.at(path, "its pages do not fit together")
            if version in older.FORMATS:
                return _with_old([], schema.old_rows(connection), [])
            rows = log.rows(connection) if version else []
            return OwnLog(rows, _fewer(connection, rows))
    except StoreDamagedError as error:
        return _carved(path.read_bytes(), error.reason)
    except (StoreForeignError, StoreTooNewError) as error:
        found = _carved(path.read_bytes(), error.reason)
        if not found.rows:
            raise
        return found


def _fewer(connection: Connection, rows: list[Row]) -> tuple[str, ...]:
    fewer = log.counted(connection) - len(rows)
    ids = {row.id for row in rows}
    missing = {row.after for row in rows if row.after} - ids
    told = [f"event {id} is missing" for id in sorted(map(str, missing))]
    if fewer > len(told):
        told.append(f"{fewer} of the events that were added are missing")
    return tuple(told) if fewer > 0 else ()


def _copied(path: Path) -> Connection:
    """A copy of a store in memory, taken without changing the file or what lies beside it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        shutil.copyfile(path, copy)
        for suffix in ("-wal", "-journal"):
            beside = path.with_name(f"{path.name}{suffix}")
            if beside.is_file():
                shutil.copyfile(beside, copy.with_name(f"{path.name}{suffix}"))
        return Connection.to_file(copy, write=True, stranger=True)


def _carved(data: bytes, why: str) -> OwnLog:
    rows, old = list[Row](), list[OldRow]()
    for values in carving.rows(data):
        if isinstance(values[2], str):
            row = Row(*values)  # type: ignore[arg-type]
            if is_as_written(row):
                rows.append(row)
        else:
            old.append(OldRow(*values))  # type: ignore[arg-type]
    rows = sorted(set(rows))
    if old and not rows:
        # Rows that were removed when a store was converted are no events of a newer one.
        rows = older.converted(old).rows
    ids = {row.id for row in rows}
    missing = sorted({row.after for row in rows if row.after} - ids)
    return OwnLog(rows, (why, *(f"event {id} is missing" for id in missing)))


def _with_old(rows: list[Row], old: Iterable[OldRow], faults: list[str]) -> OwnLog:
    found = older.converted(old)
    told = [f"event {row.id}, card {row.card}, is not as it was written" for row in found.unproven]
    return OwnLog([*rows, *found.rows], (*faults, *told))
