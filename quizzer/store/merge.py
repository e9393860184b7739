"""Merging two logs: what each has that the other lacks, each event checked alone.

Events are never changed, so a log is a set of events and two logs merge to their union. What is not
as it was written is named and left where it is; nothing else waits for it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from quizzer.store import log
from quizzer.store.addable import addable
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError
from quizzer.store.integrity import described, fault_of_written, is_as_written
from quizzer.store.layout import BYTES, Layout, id_of

_COLUMNS = ", ".join(Row._fields)
_FEW = 500


class Sound(NamedTuple):
    """Rows that may be added, and what is wrong with each of the others."""

    rows: list[Row]
    faults: list[str]


class Judged(NamedTuple):
    """The same, with what is wrong told apart."""

    rows: list[Row]
    conflicts: list[str]
    """Events of which the log has another under the same id."""
    damaged: dict[str, str]
    """By the id, rows of which an intact one may still be found."""


class Lacking(NamedTuple):
    """What each of two logs must be given so that both hold the same."""

    one: Sound
    other: Sound


class Log(Struct, frozen=True):
    """Events to be compared with others: a store's, or one learner's in a course's database.

    `read` runs a statement of the kind that SQLite and PostgreSQL share.
    """

    read: Callable[[str, Sequence[object]], list[Any]]
    table: str = "events"
    where: str = "1 = 1"
    parameters: tuple[object, ...] = ()
    layout: Layout = BYTES

    def hashes(self) -> dict[str, str]:
        """The hash of every event, by its id; of rows whose id is lost to damage, nothing."""
        found = self._hashes("1 = 1")
        return {id: hash for id, hash in found.items() if isinstance(id, str)}

    def of(self, ids: Collection[str]) -> dict[str, str]:
        """The hash of each of these events that is there."""
        found = dict[str, str]()
        for some in log.in_parts(ids):
            found |= self._hashes(*self._among(some))
        return found

    def devices(self) -> set[str]:
        return {self.layout.id_of(id) for (id,) in self._select("DISTINCT device", "1 = 1")}

    def rows(self, ids: Collection[str]) -> list[Row]:
        """The rows with these ids, in their order."""
        if not ids:
            return []
        if len(ids) <= _FEW:
            return self._rows(*self._among(ids))
        found = self._rows("id BETWEEN ? AND ?", *self.layout.ends(ids))
        return [row for row in found if row.id in ids]

    def instants(self, kinds: Sequence[str]) -> set[tuple[str, int]]:
        """Card and milliseconds of every event of these kinds."""
        among = f"kind IN ({', '.join('?' * len(kinds))})"
        return {(card, at_ms) for card, at_ms in self._select("card, at_ms", among, *kinds)}

    def _rows(self, where: str, *parameters: object) -> list[Row]:
        found = self._select(_COLUMNS, f"{where} ORDER BY id", *parameters)
        return [*map(Row._make, self.layout.rows(found))]

    def _hashes(self, where: str, *parameters: object) -> dict[str, str]:
        found = self._select("id, hash", where, *parameters)
        return {self.layout.id_of(id): self.layout.hash_of(hash) for id, hash in found}

    def _among(self, ids: Collection[str]) -> tuple[Any, ...]:
        """A condition that takes events with one of these ids, and its parameters."""
        return (f"id IN ({', '.join('?' * len(ids))})", *map(self.layout.kept_id, ids))

    def _select(self, columns: str, where: str, *parameters: object) -> list[Any]:
        sql = f"SELECT {columns} FROM {self.table} WHERE {self.where} AND {where}"
        return self.read(sql, (*self.parameters, *parameters))


def more_in(other: Connection, path: Path) -> list[Row]:
    """The events that only the other store has and that may be added to the one at the path.

    SQLite compares the two: of long logs little is in memory. Raises StoreDamagedError.
    """
    other.attach(path, "ours")
    same = "own.id = events.id AND own.hash = events.hash"
    there = f"EXISTS (SELECT 1 FROM ours.events AS own WHERE {same})"
    # Of the same history most are in the same place, and no index is needed to find them.
    in_place = (
        f"EXISTS (SELECT 1 FROM ours.events AS own WHERE own.rowid = events.rowid AND {same})"
    )
    # Of the rows themselves: a damaged index may list less than there is.
    theirs = "SELECT id FROM main.events NOT INDEXED"
    lacking = other.read(f"{theirs} WHERE NOT {in_place} AND NOT {there}")
    # A damaged id may be anything; only an event with a proper one can be added.
    ids = [id for (kept,) in lacking if isinstance(id := id_of(kept), str)]
    rows = Log(other.read, "main.events").rows(ids)
    if len(rows) != len(ids):
        raise StoreDamagedError.at(other.path, "it lists less than it holds")
    return sound(rows, Log(other.read, "ours.events").of(ids)).rows


def sound(rows: Iterable[Row], there: dict[str, str]) -> Sound:
    """The rows that a log with these hashes lacks, each once, and what is wrong with others.

    A damaged row is no fault where the log has the event itself.
    """
    found = judged([*rows], there)
    return Sound(found.rows, [*found.conflicts, *found.damaged.values()])


def judged(rows: Sequence[Row], there: Mapping[str, str]) -> Judged:
    """The same, with what is wrong told apart."""
    found: dict[str, Row] = {}
    faults: dict[str, str] = {}
    conflicts: dict[str, str] = {}
    for row, is_addable in zip(rows, addable(rows), strict=True):
        written = is_addable or is_as_written(row)
        if written and there.get(row.id, row.hash) != row.hash:
            conflicts[row.id] = f"{described(row)}, is not the same here"
        elif row.id in found or row.id in there:
            continue
        elif is_addable or not (fault := _fault(row, written)):
            found[row.id] = row
        else:
            faults[str(row.id)] = f"{described(row)}, {fault}"
    damaged = {id: said for id, said in faults.items() if id not in found}
    return Judged([*found.values()], [*conflicts.values()], damaged)


def _fault(row: Row, written: bool) -> str | None:
    return fault_of_written(row) if written else "is not as it was written"


def lacking(one: Log, other: Log) -> Lacking:
    """What each of two logs lacks. Where both have an id with two hashes, one is damaged."""
    ours, theirs = one.hashes(), other.hashes()
    differing = {id for id in ours.keys() & theirs.keys() if ours[id] != theirs[id]}
    damaged = [row for row in one.rows(differing) if not is_as_written(row)]
    differing -= {row.id for row in damaged}
    for_one = _sound(other, theirs.keys() - ours.keys() | differing, ours)
    for_other = _sound(one, ours.keys() - theirs.keys(), theirs)
    faults = [f"{described(row)}, is not as it was written" for row in damaged]
    return Lacking(for_one, Sound(for_other.rows, [*for_other.faults, *faults]))


def _sound(log: Log, ids: Set[str], there: dict[str, str]) -> Sound:
    """The events with these ids that may be added; a damaged log may list one and not find it."""
    rows = log.rows(ids)
    found = sound(rows, there)
    lost = ids - {row.id for row in rows}
    return Sound(found.rows, [*found.faults, *(f"event {id} cannot be read" for id in lost)])


def add(connection: Connection, rows: Sequence[Row]) -> list[Row]:
    """Add rows, and return those that were not there yet. Inside a transaction."""
    there = log.hashes(connection, [row.id for row in rows])
    added = [row for row in rows if row.id not in there]
    log.insert(connection, added)
    return added
