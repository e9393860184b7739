"""The union of two logs: what each has that the other lacks, proven before it is added.

Events are never changed, so a log is a set of them by id. Chains make comparing quick: where the
newest event of a device that two logs share has the same hash, all before it is the same too.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from quizzer.schedule.scheduler import MAXIMUM_INTERVAL
from quizzer.store import chain, log, schema
from quizzer.store.codec import Row, UnreadableError, event_of, has_types, milliseconds
from quizzer.store.connection import Connection

_COLUMNS = ", ".join(Row._fields)
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_LAST = "fff"
"""Ids from here on are so far in the future that soon none could follow."""
_LAST_DAY = date.max.toordinal() - MAXIMUM_INTERVAL - 2
"""After it, a card may be due on a day that no calendar here has."""
_FIRST_MS = milliseconds(datetime(2, 1, 1, tzinfo=UTC))
_LAST_MS = milliseconds(datetime.fromordinal(_LAST_DAY).replace(tzinfo=UTC))
"""Times that can be told in every zone."""


class UnsoundError(ValueError):
    """Rows that are not to be added: they are not as they were written."""


def not_the_same(row: Row) -> UnsoundError:
    return UnsoundError(f"event {row.id} of device {row.device} is not the same in both")


class Head(NamedTuple):
    """How far a device's chain goes: its events, its last number, the last before any fork.

    Before what stands in for a lost event, too: another log may still have the event itself.
    """

    events: int = 0
    last: int = 0
    single: int = 0


class Lacking(NamedTuple):
    """Rows that each of two logs lacks, each in the order of its chain."""

    one: list[Row]
    other: list[Row]


@dataclass(frozen=True, slots=True)
class Log:
    """Events to be compared with others: a store's, or one learner's in a course's database.

    `read` runs a statement of the kind that SQLite and PostgreSQL share.
    """

    read: Callable[[str, Sequence[object]], list[Any]]
    table: str = "events"
    where: str = "1 = 1"
    parameters: tuple[object, ...] = ()

    def heads(self) -> dict[str, Head]:
        """Each device's chain, by the device. Raises UnsoundError if it is no chain at all."""
        found = self._select("device, COUNT(*), MAX(seq)", "1 = 1 GROUP BY device")
        if any((type(device), type(last)) != (str, int) for device, _, last in found):
            raise UnsoundError("an event's device is no text or its number is none")
        lost = dict(self._select("device, MIN(seq)", "kind = ? GROUP BY device", chain.LOST))
        return {
            device: Head(events, last, last)
            if events == last and device not in lost
            else Head(events, last, self._single(device, lost.get(device, last + 1)))
            for device, events, last in found
        }

    def hashes(self, device: str, seq: int) -> set[str]:
        """The hashes of the events of this number: one, or more where the chain forked before."""
        if seq == 0:
            return {chain.START}
        return {hash for (hash,) in self._select("hash", "device = ? AND seq = ?", device, seq)}

    def ids(self) -> dict[str, str]:
        """The hash of every event, by its id."""
        return dict(self._select("id, hash", "1 = 1"))

    def holds(self, row: Row) -> bool:
        """Whether the event is there that the row was, though one of its columns is another now."""
        same = "(id = ? OR (device = ? AND seq = ? AND hash = ?))"
        of_row = row.id, row.device, row.seq, row.hash
        return bool(self._select("1", f"kind <> ? AND {same}", chain.LOST, *of_row))

    def after(self, device: str, seq: int) -> list[Row]:
        order = "device = ? AND seq > ? ORDER BY seq, id"
        return [Row(*row) for row in self._select(_COLUMNS, order, device, seq)]

    def rows(self) -> list[Row]:
        """Every row, in the order of the chains."""
        return [row for device in sorted(self.heads()) for row in self.after(device, 0)]

    def instants(self, kinds: Sequence[str]) -> set[tuple[str, int]]:
        """Card and milliseconds of every event of these kinds."""
        among = f"kind IN ({', '.join('?' * len(kinds))})"
        return {(card, at_ms) for card, at_ms in self._select("card, at_ms", among, *kinds)}

    def _single(self, device: str, end: int) -> int:
        """The last number before a fork and before `end`; 0 where events are missing."""
        doubled = self._select(
            "seq", "device = ? GROUP BY seq HAVING COUNT(*) > 1 ORDER BY seq LIMIT 1", device
        )
        single = min([end, *(int(seq) for (seq,) in doubled)]) - 1
        ((there,),) = self._select("COUNT(*)", "device = ? AND seq <= ?", device, single)
        return single if there == single else 0

    def _select(self, columns: str, where: str, *parameters: object) -> list[Any]:
        sql = f"SELECT {columns} FROM {self.table} WHERE {self.where} AND {where}"
        return self.read(sql, (*self.parameters, *parameters))


def log_of(rows: Iterable[Row]) -> Log:
    """A log that holds these rows alone. Raises UnsoundError if two of them share an id."""
    by_id: dict[str, Row] = {}
    for row in rows:
        if by_id.setdefault(row.id, row) != row:
            raise UnsoundError(
                f"event {row.id} of device {row.device} is there twice, not the same"
            )
    connection = Connection.in_memory(Path())
    schema.migrate(connection)
    with connection.transaction():
        log.insert(connection, list(by_id.values()))
    return Log(connection.read)


def lacking(one: Log, other: Log) -> Lacking:
    """What each of two logs has to be given to be the union of both. Raises UnsoundError."""
    heads, others = one.heads(), other.heads()
    found = Lacking([], [])
    for device in sorted(heads.keys() | others.keys()):
        seq = min(heads.get(device, Head()).single, others.get(device, Head()).single)
        if one.hashes(device, seq) != other.hashes(device, seq):
            seq = 0
        ours, theirs = one.after(device, seq), other.after(device, seq)
        hashes, known = ({row.id: row.hash for row in rows} for rows in (ours, theirs))
        for id in hashes.keys() & known.keys():
            if hashes[id] != known[id]:
                raise UnsoundError(f"event {id} of device {device} is not the same in both")
        found.one.extend(row for row in theirs if row.id not in hashes)
        found.other.extend(row for row in ours if row.id not in known)
    return found


def prove(rows: Iterable[Row], receiver: Log) -> None:
    """See that rows follow from each other, or from those that the receiver has, and can be read.

    Raises UnsoundError, which names the device.
    """
    hashes: dict[tuple[str, int], list[str]] = defaultdict(list)
    for row in rows:
        try:
            event_of(row)
        except UnreadableError as error:
            raise UnsoundError(f"{error}, of device {row.device}") from error
        if fault := fault_of(row):
            raise UnsoundError(f"event number {row.seq} of device {row.device} {fault}")
        before = row.device, row.seq - 1
        if not chain.follows(row, hashes[before]) and not chain.follows(
            row, receiver.hashes(*before)
        ):
            raise UnsoundError(
                f"event number {row.seq} of device {row.device} does not follow from the one "
                "before it"
            )
        hashes[row.device, row.seq].append(row.hash)


def first(rows: Sequence[Row]) -> list[Row]:
    """Those that follow none of the others."""
    numbers = {(row.device, row.seq) for row in rows}
    return [row for row in rows if (row.device, row.seq - 1) not in numbers]


def fault_of(row: Row) -> str | None:
    """What is wrong with a row by itself, though it may be sealed so."""
    if not has_types(row):
        return "has a value of another type than it should"
    if any("\0" in value for value in row if isinstance(value, str)):
        return "has a sign of number 0, which PostgreSQL does not take"
    if not _ID.fullmatch(row.id) or row.id >= _LAST:
        return "has no proper id"
    if not 1 <= row.day <= _LAST_DAY or not _FIRST_MS <= row.at_ms <= _LAST_MS:
        return "has no proper day"
    return None


def add(connection: Connection, rows: Sequence[Row]) -> list[Row]:
    """Add rows, and return those that were not there yet. Inside a transaction.

    Raises UnsoundError if another event bears the id of one of them.
    """
    there = log.hashes(connection, [row.id for row in rows])
    for row in rows:
        if there.get(row.id, row.hash) != row.hash:
            raise not_the_same(row)
    added = [row for row in rows if row.id not in there]
    log.insert(connection, added)
    return added
