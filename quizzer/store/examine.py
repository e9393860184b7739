"""A full look at a store: SQLite's own, the tables, the chain, and memory against the fold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isclose

from quizzer.review import Fact, Memory, Progress, Undo
from quizzer.schedule.fsrs import Parameters
from quizzer.store import chain, log, schema, table
from quizzer.store.codec import Row, UnreadableError, event_of, kind_of
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreError
from quizzer.store.fold import undone_ids
from quizzer.store.rebuild import folded


def problems(connection: Connection, parameters: Parameters) -> list[str]:
    """All that is wrong, a sentence each; empty if the store is in order."""
    found: list[str] = []
    try:
        with connection.snapshot():
            found += _of_the_file(connection)
            rows = log.in_chains(connection)
            found += [f"The log is damaged: {problem}." for problem in chain.problems(rows)]
            readable, unreadable = _read(rows)
            found += [f"The log is damaged: {problem}." for problem in unreadable]
            undone = undone_ids(log.events_of(connection, _of_kind(Undo, readable)))
            found += _of_memory(table.load(connection), folded(readable, undone, parameters))
    except StoreError as error:
        found.append(str(error))
    return found


def _of_the_file(connection: Connection) -> Iterator[str]:
    for (message,) in connection.read("PRAGMA integrity_check"):
        if message != "ok":
            yield f"SQLite finds the file damaged: {message}."
    expected = Connection.in_memory(connection.path)
    try:
        schema.migrate(expected)
        different = schema.objects(connection) ^ schema.objects(expected)
        for name in sorted({str(name) for name, _ in different}):
            yield f"The table, index or trigger {name} is not as quizzer makes it."
    finally:
        expected.close()


def _read(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """The rows that can be read in order of their ids, and what is wrong with the others."""
    readable: list[Row] = []
    unreadable: list[str] = []
    for row in rows:
        try:
            event_of(row)
        except UnreadableError as error:
            unreadable.append(str(error))
        else:
            readable.append(row)
    return sorted(readable, key=lambda row: row.id), unreadable


def _of_kind(kind: type[Fact], rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.kind == kind_of(kind)]


def _of_memory(stored: Mapping[str, Progress], expected: Mapping[str, Progress]) -> Iterator[str]:
    for card in sorted(expected.keys() | stored.keys()):
        if not _agree(stored.get(card), expected.get(card)):
            yield f"What is kept of the card {card} does not follow from its history."


def _agree(stored: Progress | None, expected: Progress | None) -> bool:
    """Equal but for the last digits of strengths, which another machine may compute otherwise."""
    if stored is None or expected is None:
        return stored is expected
    kept, computed = stored.memory, expected.memory
    if kept is None or computed is None:
        return stored == expected
    return _rounded(stored, kept, computed) == expected


def _rounded(progress: Progress, kept: Memory, computed: Memory) -> Progress:
    """The progress, with strengths that are nearly the computed ones replaced by those."""
    changes = {
        name: getattr(computed, name)
        for name in ("stability", "difficulty")
        if isclose(getattr(kept, name), getattr(computed, name), rel_tol=1e-9)
    }
    return replace(progress, memory=replace(kept, **changes))
