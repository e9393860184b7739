"""Adding the events of a file to a store, a few thousand at a time.

Each batch is added for good: an import that is interrupted goes on from there the next time, since
what is there already is not added again.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, islice

from msgspec import Struct

from quizzer.store import clock, merge
from quizzer.store.codec import Row
from quizzer.store.store import Store

BATCH = 5000
"""Events that are in memory at a time."""

Step = Callable[[int], None]
"""Is told how many events were looked at."""


class Taken(Struct, frozen=True):
    """What became of the rows of a file."""

    added: int
    known: int
    """Events that were there already."""
    cards: frozenset[str]
    """Those that were rescheduled."""
    faults: list[str]
    """Of rows that were left out, but those that the history has."""
    ahead: list[int]
    """The times of those added that are dated in the future, in milliseconds."""


@dataclass(slots=True)
class _Count:
    looked_at: int = 0
    added: int = 0
    known: int = 0
    seen: set[int] = field(default_factory=set)
    """Hashes of the ids that a dry run would have added: a number takes less than a text."""
    faults: dict[str, str] = field(default_factory=dict)
    """By the id, of rows that may still be found intact."""
    conflicts: list[str] = field(default_factory=list)
    ahead: list[int] = field(default_factory=list)


def take(store: Store, rows: Iterable[Row], now: datetime, dry_run: bool, step: Step) -> Taken:
    """Add the rows that the store lacks; a dry run only counts them. Raises StoreError."""
    count = _Count()
    batches = _lacking(store, iter(rows), count, now, dry_run, step)
    cards = frozenset[str]()
    if dry_run:
        for _ in batches:
            pass
    else:
        first, second = next(batches, []), next(batches, None)
        if second is None:
            cards = store.take(first, now)
        else:
            cards = store.take_each(chain((first, second), batches), now)
    there = store.log.of([id for id in count.faults if id.isascii()])
    faults = [said for id, said in count.faults.items() if id not in there]
    return Taken(count.added, count.known, cards, [*count.conflicts, *faults], count.ahead)


def _lacking(
    store: Store, rows: Iterator[Row], count: _Count, now: datetime, dry_run: bool, step: Step
) -> Iterator[list[Row]]:
    """Batches of what the store lacks, each looked up in it when its turn has come."""
    while batch := [*islice(rows, BATCH)]:
        # What is no text, or not of such signs, is no id of ours.
        ids = {row.id for row in batch if isinstance(row.id, str) and row.id.isascii()}
        there = store.log.of(ids)
        judged = merge.judged(batch, there)
        count.conflicts += judged.conflicts
        count.faults |= judged.damaged
        lacking = judged.rows
        if dry_run:
            lacking = [row for row in lacking if hash(row.id) not in count.seen]
            count.seen.update(hash(row.id) for row in lacking)
        count.added += len(lacking)
        count.known += len(there)
        count.ahead += clock.ahead(lacking, now)
        count.looked_at += len(batch)
        step(count.looked_at)
        yield lacking
