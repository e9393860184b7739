"""A full look at a store: the file, its tables, each event alone, memory against the fold."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isclose

from quizzer.fsrs.step import Parameters
from quizzer.store import log, memory_table, missing, schema
from quizzer.store.bulk_fold import folded
from quizzer.store.codec import Row, UnreadableError, event_of, kind_of
from quizzer.store.connection import Connection
from quizzer.store.errors import MemoryDamagedError, StoreError
from quizzer.store.fold import undone_ids
from quizzer.store.integrity import described, is_as_written
from quizzer.store.missing import Missing
from quizzer.values import Memory, Progress, Undo


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong with a store, each a sentence; nothing where all is in order."""

    events: int = 0
    damage: tuple[str, ...] = ()
    missing: Missing = field(default_factory=Missing)
    memory: tuple[str, ...] = ()
    """Cards of which something else is kept than follows from their history."""

    @property
    def faults(self) -> list[str]:
        """What is wrong with the history itself."""
        return [*self.damage, *self.missing.faults]


def look(connection: Connection, parameters: Parameters) -> Found:
    """All that is wrong."""
    try:
        with connection.snapshot():
            of_file = tuple(_of_the_file(connection))
            found = of_the_log(connection)
            if found.damage:
                return replace(found, damage=(*of_file, *found.damage))
            rows = log.rows(connection)
            undone = undone_ids(log.events_of(connection, _undos(rows)))
            expected = folded(rows, undone, parameters)
            try:
                memory = tuple(_of_memory(memory_table.load(connection), expected))
            except MemoryDamagedError as error:
                memory = (f"{error.reason[0].upper()}{error.reason[1:]}.",)
            return replace(found, damage=of_file, memory=memory)
    except StoreError as error:
        return Found(damage=(str(error.reason),))


def of_the_log(connection: Connection) -> Found:
    """What is wrong with the events, each checked alone, and which are missing.

    Raises StoreDamagedError where the file cannot be read.
    """
    rows = log.rows(connection)
    sound = [row for row in rows if is_as_written(row)]
    damage = tuple(_of_rows(rows, {row.id for row in sound}))
    return Found(len(rows), damage, missing.of_log(connection, rows, sound))


def _of_rows(rows: Sequence[Row], sound: Collection[str]) -> Iterator[str]:
    for row in rows:
        if row.id not in sound:
            yield f"{described(row)}, is not as it was written"
            continue
        try:
            event_of(row)
        except UnreadableError as error:
            yield str(error)


def _of_the_file(connection: Connection) -> Iterator[str]:
    for (message,) in connection.read("PRAGMA integrity_check"):
        if message != "ok":
            yield f"SQLite finds the file damaged: {message}"
    for name in schema.differing(connection):
        yield f"the table, index or trigger {name} is not as quizzer makes it"


def _undos(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.kind == kind_of(Undo)]


def _of_memory(stored: Mapping[str, Progress], expected: Mapping[str, Progress]) -> Iterator[str]:
    for card in sorted(expected.keys() | stored.keys()):
        if not _agree(stored.get(card), expected.get(card)):
            yield f"What is kept of the card {card} does not follow from its history."


def _agree(stored: Progress | None, expected: Progress | None) -> bool:
    """Equal but for the last digits of memory states, which other machines may round otherwise."""
    if stored is None or expected is None:
        return stored is expected
    kept, computed = stored.memory, expected.memory
    if kept is None or computed is None:
        return stored == expected
    return _rounded(stored, kept, computed) == expected


def _rounded(progress: Progress, kept: Memory, computed: Memory) -> Progress:
    """The progress, with memory states that are nearly the computed ones replaced by those."""
    changes = {
        name: getattr(computed, name)
        for name in ("stability", "difficulty")
        if isclose(getattr(kept, name), getattr(computed, name), rel_tol=1e-9)
    }
    return replace(progress, memory=replace(kept, **changes))
