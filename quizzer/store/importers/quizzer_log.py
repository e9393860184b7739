"""Events from a file of ours that may be damaged: an export, a store, a backup, a synced file."""

import re
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from quizzer.store import examine, files, json_lines, log, missing, old_formats, schema
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, StoreForeignError, StoreTooNewError, explained
from quizzer.store.importers import salvage
from quizzer.store.integrity import is_as_written
from quizzer.store.missing import Missing
from quizzer.store.old_formats import OldRow
from quizzer.text import one_line


@dataclass(frozen=True, slots=True)
class QuizzerLog:
    """Rows as a file holds them, some perhaps damaged, and what is wrong with the rest of it."""

    rows: list[Row]
    faults: tuple[str, ...] = ()
    missing: Missing = field(default_factory=Missing)


def of_lines(lines: Iterable[str]) -> QuizzerLog:
    """What an export holds, of this format or of an older one."""
    rows, old, faults = list[Row](), list[OldRow](), list[str]()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if quick := json_lines.quick_row_of(line):
            rows.append(quick)
            continue
        try:
            values = json_lines.parsed(line)
            if row := old_formats.row_of(dict(values)):
                old.append(row)
            else:
                rows.append(json_lines.row_of(line))
        except (ValueError, TypeError) as error:
            faults.append(f"line {number}: {one_line(str(error))}")
            rows += _whole_within(line)
    if old:
        return _with_old(rows, old, faults)
    return QuizzerLog(rows, tuple(faults))


def _whole_within(line: str) -> Iterator[Row]:
    """Events that are as they were written, in a line that is damaged.

    Where the break between two lines is damaged, both are in one.
    """
    starts = [*re.finditer(r'\{"id":', line)]
    for start, following in zip_longest(starts, starts[1:]):
        part = line[start.start() : following.start() if following else None]
        with suppress(ValueError, TypeError):
            row = json_lines.row_of(part[: part.rfind("}") + 1])
            if is_as_written(row):
                yield row


def of_store(path: Path) -> QuizzerLog:
    """What a store holds, which is not changed.

    Raises StoreError for a file of another program, or of a newer quizzer.
    """
    try:
        with files.copied(path) as copy:
            return of_copy(copy)
    except OSError as error:
        raise explained(error, path) from error


def of_copy(copy: Path) -> QuizzerLog:
    """The same of a copy that SQLite may change.

    Where its tables are not ours, or its pages do not fit together, SQLite is not asked: the file
    is searched for events.
    """
    try:
        with closing(Connection.to_file(copy, write=True, stranger=True)) as connection:
            version = schema.see_that_it_is_ours(connection)
            schema.see_that_pages_fit(connection)
            if version in old_formats.FORMATS:
                return _with_old([], schema.old_rows(connection), [])
            if not version:
                return QuizzerLog([])
            return QuizzerLog(log.rows(connection), missing=examine.of_the_log(connection).missing)
    except StoreDamagedError as error:
        return _salvaged(copy.read_bytes(), error.reason)
    except (StoreForeignError, StoreTooNewError) as error:
        found = _salvaged(copy.read_bytes(), error.reason)
        if not found.rows:
            raise
        return found


def _salvaged(data: bytes, why: str) -> QuizzerLog:
    rows, old = list[Row](), list[OldRow]()
    for values in salvage.rows(data):
        if isinstance(values[2], str):
            row = Row(*values)  # type: ignore[arg-type]
            if is_as_written(row):
                rows.append(row)
        else:
            old.append(OldRow(*values))  # type: ignore[arg-type]
    rows = sorted(set(rows))
    if old and not rows:
        # Rows that were removed when a store was converted are no events of a newer one.
        rows = old_formats.converted(old).rows
    return QuizzerLog(rows, (why,), missing.of_rows(rows))


def _with_old(rows: list[Row], old: Iterable[OldRow], faults: list[str]) -> QuizzerLog:
    found = old_formats.converted(old)
    told = [f"event {row.id}, card {row.card}, is not as it was written" for row in found.unproven]
    return QuizzerLog([*rows, *found.rows], (*faults, *told))
