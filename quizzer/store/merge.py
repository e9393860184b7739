"""Merging two logs: what each has that the other lacks, each event checked alone.

Events are never changed, so a log is a set of events and two logs merge to their union. What is not
as it was written is named and left where it is; nothing else waits for it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from quizzer.store import log
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.integrity import described, fault_of_written, is_as_written

_COLUMNS = ", ".join(Row._fields)
_FEW = 500
_PAGE = 5000


class Sound(NamedTuple):
    """Rows that may be added, and what is wrong with each of the others."""

    rows: list[Row]
    faults: list[str]


class Lacking(NamedTuple):
    """What each of two logs must be given so that both hold the same."""

    one: Sound
    other: Sound


@dataclass(frozen=True, slots=True)
class Log:
    """Events to be compared with others: a store's, or one learner's in a course's database.

    `read` runs a statement of the kind that SQLite and PostgreSQL share.
    """

    read: Callable[[str, Sequence[object]], list[Any]]
    table: str = "events"
    where: str = "1 = 1"
    parameters: tuple[object, ...] = ()

    def hashes(self) -> dict[str, str]:
        """The hash of every event, by its id; of rows whose id is lost to damage, nothing."""
        found = dict(self._select("id, hash", "1 = 1"))
        return {id: hash for id, hash in found.items() if isinstance(id, str)}

    def of(self, ids: Collection[str]) -> dict[str, str]:
        """The hash of each of these events that is there."""
        found = dict[str, str]()
        for some in log.in_parts(ids):
            found |= self._select("id, hash", f"id IN ({', '.join('?' * len(some))})", *some)
        return found

    def pages(self) -> Iterator[list[tuple[str, str]]]:
        """Id and hash of every event, in the order of the ids, some thousands at a time."""
        after = ""
        while page := self._select("id, hash", f"id > ? ORDER BY id LIMIT {_PAGE}", after):
            yield page
            if not page[-1][0] > after:
                return
            after = page[-1][0]

    def between(self, first: str, last: str) -> list[tuple[str, str]]:
        """Id and hash of each event from the first to the last of these ids, in their order."""
        return self._select("id, hash", "id BETWEEN ? AND ? ORDER BY id", first, last)

    def devices(self) -> set[str]:
        return {device for (device,) in self._select("DISTINCT device", "1 = 1")}

    def rows(self, ids: Collection[str]) -> list[Row]:
        """The rows with these ids, in their order."""
        if len(ids) <= _FEW:
            among = f"id IN ({', '.join('?' * len(ids))}) ORDER BY id"
            return [Row(*row) for row in self._select(_COLUMNS, among, *ids)] if ids else []
        between = "id BETWEEN ? AND ? ORDER BY id"
        found = (Row(*row) for row in self._select(_COLUMNS, between, min(ids), max(ids)))
        return [row for row in found if row.id in ids]

    def instants(self, kinds: Sequence[str]) -> set[tuple[str, int]]:
        """Card and milliseconds of every event of these kinds."""
        among = f"kind IN ({', '.join('?' * len(kinds))})"
        return {(card, at_ms) for card, at_ms in self._select("card, at_ms", among, *kinds)}

    def _select(self, columns: str, where: str, *parameters: object) -> list[Any]:
        sql = f"SELECT {columns} FROM {self.table} WHERE {self.where} AND {where}"
        return self.read(sql, (*self.parameters, *parameters))


def more_in(other: Log, here: Log) -> list[Row]:
    """The events that only the other log has and that may be added here, of two in SQLite.

    Both are gone through in the order of their ids: of long logs little is in memory.
    """
    ids = list[str]()
    for page in other.pages():
        ours = here.between(page[0][0], page[-1][0])
        if ours != page:
            known = dict(ours)
            ids += [id for id, hash in page if known.get(id) != hash]
    return sound(other.rows(ids), here.of(ids)).rows


def sound(rows: Iterable[Row], there: dict[str, str]) -> Sound:
    """The rows that a log with these hashes lacks, each once, and what is wrong with others.

    A damaged row is no fault where the log has the event itself.
    """
    found: dict[str, Row] = {}
    faults: dict[str, str] = {}
    for row in rows:
        written = is_as_written(row)
        if written and there.get(row.id, row.hash) != row.hash:
            faults[row.id] = f"{described(row)}, is not the same here"
        elif row.id in found or row.id in there:
            continue
        elif fault := fault_of_written(row) if written else "is not as it was written":
            faults[str(row.id)] = f"{described(row)}, {fault}"
        else:
            found[row.id] = row
    return Sound(list(found.values()), [said for id, said in faults.items() if id not in found])


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
