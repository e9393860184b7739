"""A full look at a store: the file, its tables, each event alone, memory against the fold."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, compress
from math import isclose
from operator import not_

from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.fsrs.step import Parameters
from quizzer.store import layout, log, memory_table, missing, schema
from quizzer.store.codec import Row, UnreadableError, event_of, kind_of
from quizzer.store.connection import Connection
from quizzer.store.errors import MemoryDamagedError, StoreDamagedError, StoreError
from quizzer.store.integrity import described
from quizzer.store.missing import Missing
from quizzer.store.pages import Page, kept_as_written, ratings
from quizzer.values import Memory, Progress, Review

Step = Callable[[int, int], None]
"""Is told how many of so many events are done."""
_REVIEW = kind_of(Review)


class Found(Struct, frozen=True):
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


def look(
    connection: Connection, parameters: Parameters | None, step: Step = lambda done, total: None
) -> Found:
    """All that is wrong, found in one reading of the log; without parameters, but for memory.

    `step` is told again and again how many of the events were looked at.
    """
    from quizzer.store.bulk_fold import folded

    try:
        with connection.snapshot():
            of_file = [*_of_the_file(connection)]
            if parameters is None:
                found = of_the_log(connection)
                return _with(found, of_file, _kept_as_text(connection))
            walk = _Walk(connection, step)
            try:
                undone, size = log.undone(connection), log.size(connection)
                expected = folded(walk.sound_pages(), undone, parameters, size)
            except (UnreadableError, StoreDamagedError):
                found = of_the_log(connection)
                return _with(found, of_file, _kept_as_text(connection))
            found = walk.found()
            texts = [] if walk.met_bytes_only else _kept_as_text(connection)
            if found.damage:
                return _with(found, of_file, texts)
            try:
                memory = tuple(_of_memory(memory_table.load(connection), expected))
            except MemoryDamagedError as error:
                memory = (f"{error.reason[0].upper()}{error.reason[1:]}.",)
            return replace(found, damage=(*of_file, *texts), memory=memory)
    except StoreError as error:
        return Found(damage=(str(error.reason),))


def of_the_log(connection: Connection, after: str | None = None) -> Found:
    """What is wrong with the events, each checked alone, and which are missing.

    With the id of one, only `damage` is told, of those after it. Raises StoreDamagedError where
    the file cannot be read.
    """
    walk = _Walk(connection)
    for page in walk.sound_pages(after):
        walk.see_that_it_can_be_read(page)
    return walk.found()


def fault(connection: Connection) -> StoreError | None:
    """What is wrong with the log, None if every event is as it was written."""
    try:
        faults = of_the_log(connection).faults
    except StoreError as error:
        return error
    return StoreDamagedError.at(connection.path, faults[0]) if faults else None


class _Walk:
    """One reading of the log, each event checked as it comes by."""

    def __init__(self, connection: Connection, step: Step = lambda done, total: None) -> None:
        self._connection = connection
        self._step = step
        self._chain = missing.Chain(connection)
        self._damage: list[str] = []
        self.met_bytes_only = True
        """Whether all ids were kept as bytes so far."""

    def sound_pages(self, after: str | None = None) -> Iterator[Page]:
        """The events that are as they were written, oldest first and as they are kept."""
        total = log.counted(self._connection)
        for page in log.kept_pages(self._connection, after=after):
            sound = kept_as_written(page)
            if not page.is_usual or {*map(type, page.columns[1])} != {bytes}:
                self.met_bytes_only = False
            self._chain.follow(page, sound)
            self._step(self._chain.events, total)
            if all(sound):
                yield page
                continue
            for row in layout.rows(compress(page, map(not_, sound))):
                told = described(Row._make(row))
                self._damage.append(f"{told}, is not as it was written")
            yield Page(compress(page, sound))

    def see_that_it_can_be_read(self, page: Page) -> None:
        """Note each of these sound events that cannot be read."""
        reviews = [row for row in page if row[6] == _REVIEW]
        with suppress(UnreadableError):
            ratings(reviews)
            reviews = []
        for row in layout.rows([*reviews, *(row for row in page if row[6] != _REVIEW)]):
            try:
                event_of(Row._make(row))
            except UnreadableError as error:
                self._damage.append(str(error))

    def found(self) -> Found:
        return Found(self._chain.events, tuple(self._damage), self._chain.missing())


def _of_the_file(connection: Connection) -> Iterator[str]:
    for (message,) in connection.read("PRAGMA integrity_check"):
        if message != "ok":
            yield f"SQLite finds the file damaged: {message}"
    for name in schema.differing(connection):
        yield f"the table, index or trigger {name} is not as quizzer makes it"


def _kept_as_text(connection: Connection) -> list[str]:
    found = connection.read(f"SELECT id FROM events WHERE {layout.KEPT_AS_TEXT}")
    return [f"event {layout.id_of(id)} has a text where quizzer keeps bytes" for (id,) in found]


def _with(found: Found, *of_file: Sequence[str]) -> Found:
    """The same with the damage of the file before that of the events."""
    return replace(found, damage=(*chain(*of_file), *found.damage))


def _of_memory(stored: Mapping[str, Progress], expected: Mapping[str, Progress]) -> Iterator[str]:
    for card in sorted(expected.keys() | stored.keys()):
        if not agree(stored.get(card), expected.get(card)):
            yield f"What is kept of the card {card} does not follow from its history."


def agree(stored: Progress | None, expected: Progress | None) -> bool:
    """Equal but for the last digits of memory states, which other machines may round otherwise."""
    if stored == expected:
        return True
    if stored is None or expected is None:
        return False
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
