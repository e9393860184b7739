"""Events from a file of ours that may be damaged: an export, a store, a backup, a synced file."""

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import islice, zip_longest
from mmap import mmap
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.store import examine, files, json_lines, layout, log, missing, old_formats, schema
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, StoreForeignError, StoreTooNewError, explained
from quizzer.store.importers import salvage
from quizzer.store.integrity import is_as_written
from quizzer.store.missing import Missing
from quizzer.store.old_formats import Converted, OldRow
from quizzer.store.pages import as_written
from quizzer.text import one_line

_LINES = 2000
"""That are in memory at a time."""


class QuizzerLog(Struct, frozen=True):
    """Rows as a file holds them, some perhaps damaged, and what is wrong with the rest of it.

    The rows of a long file are read as they are gone through, once; `faults` are known then.
    """

    rows: Iterable[Row]
    faults: list[str] = field(default_factory=list)
    missing: Missing = field(default_factory=Missing)


def of_lines(lines: Iterable[str]) -> QuizzerLog:
    """What an export holds, of this format or of an older one; read as it is gone through."""
    faults = list[str]()
    return QuizzerLog(_rows_of(lines, faults), faults)


def _rows_of(lines: Iterable[str], faults: list[str]) -> Iterator[Row]:
    old = list[OldRow]()
    numbered = enumerate(lines, start=1)
    while some := [*islice(numbered, _LINES)]:
        quick = [json_lines.quick_row_of(line) for _, line in some]
        usual = [row for row in quick if row]
        proven = iter(as_written(usual))
        for (number, line), row in zip(some, quick, strict=True):
            if row and next(proven):
                yield row
            elif line.strip():
                yield from _looked_at(line, number, old, faults)
    if old:
        found = old_formats.converted(old)
        faults += _unproven(found)
        yield from found.rows


def _looked_at(line: str, number: int, old: list[OldRow], faults: list[str]) -> Iterator[Row]:
    """The rows in a line that is not as quizzer writes one; one of an older format is put aside."""
    try:
        values = json_lines.parsed(line)
        if row := old_formats.row_of(dict(values)):
            old.append(row)
        else:
            yield json_lines.row_of(line)
    except (ValueError, TypeError) as error:
        faults.append(f"line {number}: {one_line(str(error))}")
        yield from _whole_within(line)


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
    """What a store holds, which is not changed, all of it in memory.

    Raises StoreError for a file of another program, or of a newer quizzer.
    """
    try:
        with files.copied(path) as copy, of_copy(copy) as found:
            return replace(found, rows=[*found.rows])
    except OSError as error:
        raise explained(error, path) from error


@contextmanager
def of_copy(copy: Path) -> Iterator[QuizzerLog]:
    """The same of a copy that SQLite may change, read as it is gone through.

    Where its tables are not ours, or its pages do not fit together, SQLite is not asked: the file
    is searched for events.
    """
    with ExitStack() as stack:
        try:
            connection = Connection.to_file(copy, write=True, stranger=True)
            stack.enter_context(closing(connection))
            found = _of_tables(connection)
        except StoreDamagedError as error:
            found = salvaged(copy.read_bytes(), error.reason)
        except (StoreForeignError, StoreTooNewError) as error:
            found = salvaged(copy.read_bytes(), error.reason)
            if not found.rows:
                raise
        yield found


def salvaged(data: bytes | mmap, why: str, also: Iterable[Row] = ()) -> QuizzerLog:
    """The events that are found by their bytes, in a file of which something is wrong.

    `also` are those of the same history that were found elsewhere.
    """
    rows, old = [*also], list[OldRow]()
    for values in layout.rows(salvage.rows(data)):
        if not isinstance(values[2], str):
            old.append(OldRow(*values))
        elif is_as_written(row := Row(*values)):
            rows.append(row)
    rows = sorted(set(rows))
    if old and not rows:
        # Rows that were removed when a store was converted are no events of a newer one.
        rows = old_formats.converted(old).rows
    return QuizzerLog(rows, [why], missing.of_rows(rows))


def _of_tables(connection: Connection) -> QuizzerLog:
    version = schema.see_that_it_is_ours(connection)
    schema.see_that_pages_fit(connection)
    if version in old_formats.FORMATS:
        return _of_an_older_format(connection, version)
    if not version:
        return QuizzerLog([])
    absent = examine.of_the_log(connection).missing
    return QuizzerLog(map(Row._make, log.raw(connection)), missing=absent)


def _of_an_older_format(connection: Connection, version: int) -> QuizzerLog:
    rows, faults, looked_at = list[Row](), list[str](), 0
    for found in old_formats.events(connection.read, version):
        rows += found.rows
        faults += _unproven(found)
        looked_at += len(found.rows) + len(found.unproven)
    vanished = log.counted(connection) - looked_at if version in old_formats.COUNTED else 0
    if vanished <= 0:
        return QuizzerLog(rows, faults)
    named = missing.of_rows(rows).named
    return QuizzerLog(rows, faults, Missing(named, max(vanished, len(named))))


def _unproven(found: Converted) -> Iterator[str]:
    """A sentence for each old event that nothing proves."""
    for row in found.unproven:
        yield f"event {row.id}, card {row.card}, is not as it was written"
