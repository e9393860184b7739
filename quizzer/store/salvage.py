"""What is sound in a log that was damaged: all events that are still as they were sealed.

An event is proven by the hash of the one before it, whatever became of the rest of that one. Where
damage took it, something with its hash stands in for it, so that the chain holds and no event is
changed: from then on the log unites with others as before, the lost event itself among theirs.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from typing import NamedTuple

from quizzer.store import chain, union
from quizzer.store.codec import Row, UnreadableError, event_of, has_types
from quizzer.store.union import Log, UnsoundError


class Sound(NamedTuple):
    """Rows to be added to a log, and those that are lost to it as they are not as written."""

    rows: list[Row]
    lost: list[Row]

    @property
    def events(self) -> int:
        """How many are added, what stands in for lost ones not counted."""
        return sum(row.kind != chain.LOST for row in self.rows)


def lacking(rows: Sequence[Row], receiver: Log) -> Sound:
    """What the receiver lacks of rows, proven. Raises UnsoundError if two events share an id."""
    if all(has_types(row) and row.seq >= 1 for row in rows):
        with suppress(UnsoundError):
            return Sound(_proven(rows, receiver), [])
    sound, lost = _salvaged(rows, receiver)
    return Sound(_proven(sound, receiver), lost)


def _proven(rows: Iterable[Row], receiver: Log) -> list[Row]:
    """Those that the receiver lacks. They are compared one by one: they may be torn chains."""
    there = receiver.ids()
    found = []
    for row in union.log_of(rows).rows():
        if there.get(row.id, row.hash) != row.hash:
            raise union.not_the_same(row)
        if row.id not in there:
            found.append(row)
    union.prove(found, receiver)
    return found


def _salvaged(rows: Sequence[Row], receiver: Log) -> Sound:
    """The rows that are as they were sealed and what stands in for others; and those others."""
    readable = sorted(filter(_is_readable, rows), key=lambda row: (row.device, row.seq, row.id))
    at: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in dict.fromkeys(rows):
        at[row.device, row.seq].append(row)
    earlier = _earlier(rows, {row for row in readable if _is_in_place(row, at)})
    sound: dict[Row, None] = {}
    known: dict[tuple[str, int], set[str]] = defaultdict(set)
    for row in readable:
        before = row.device, row.seq - 1
        there = known[before] | receiver.hashes(*before)
        hashes = [*there, *(each.hash for each in at[before]), *earlier[row.id]]
        if row.seq == 1:
            hashes = [chain.START]
        row = _mended(row, hashes, at[row.device, row.seq + 1])
        if not chain.follows(row, hashes):
            continue
        sound[row] = None
        known[row.device, row.seq].add(row.hash)
        parent = chain.parent(row, hashes)
        if parent is not None and parent not in there:
            sound[chain.stand_in(*before, parent)] = None
            known[before].add(parent)
    ids = {row.id for row in sound}
    return Sound([*sound], [row for row in rows if row.id not in ids and not receiver.holds(row)])


def _mended(row: Row, hashes: Iterable[str], following: Sequence[Row]) -> Row:
    """The row with the hash that the one after it was sealed with, if its own alone is damaged.

    What stands in for a lost event proves nothing of the one before it.
    """
    if not chain.follows(row, hashes):
        for mended in (chain.sealed(row, hash) for hash in hashes):
            if any(chain.parent(after, [mended.hash]) for after in following):
                return mended
    return row


def _earlier(rows: Iterable[Row], in_place: Set[Row]) -> dict[str, list[str]]:
    """For each id the hashes of the last two before it that are not in their place.

    Of an event whose device or number is damaged, the hash is found so.
    """
    found: dict[str, list[str]] = {}
    displaced: list[str] = []
    for row in sorted(rows, key=lambda row: str(row.id)):
        found.setdefault(row.id, displaced[-2:])
        if row not in in_place:
            displaced.append(row.hash)
    return found


def _is_in_place(row: Row, at: Mapping[tuple[str, int], Sequence[Row]]) -> bool:
    hashes = [before.hash for before in at.get((row.device, row.seq - 1), ())]
    return chain.follows(row, hashes if row.seq > 1 else [chain.START])


def _is_readable(row: Row) -> bool:
    try:
        event_of(row)
    except UnreadableError:
        return False
    return union.fault_of(row) is None and row.seq >= 1
