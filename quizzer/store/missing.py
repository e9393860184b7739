"""Which events a log misses.

Two things tell: each event names its device's event before it, and a store counts the events that
were added to it. Where the count fits, an event that is named but not there never was in this log:
it was lost elsewhere, and nothing is wrong here.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from quizzer.store import log, meta
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.integrity import is_as_written


@dataclass(frozen=True, slots=True)
class Missing:
    """Events that should be in a log."""

    named: dict[str, str] = field(default_factory=dict)
    """The device of each by its id, as far as a later event names it."""
    count: int = 0
    """How many there are, those that are named among them."""
    lost: int = 0
    """Events that later ones name, and that were lost before those were added here."""

    def without(self, there: Collection[str]) -> "Missing":
        """What is left of it for who has these events."""
        named = {id: device for id, device in self.named.items() if id not in there}
        return Missing(named, self.count - len(self.named) + len(named), self.lost)

    @property
    def faults(self) -> list[str]:
        """A sentence each."""
        found = [f"event {id} of device {self.named[id]} is missing" for id in sorted(self.named)]
        if self.count > len(found):
            found.append(f"{self.count} of the events that were added are missing")
        return found


def of_log(connection: Connection, rows: Collection[Row], sound: Iterable[Row]) -> Missing:
    """What a store misses that holds these rows, the `sound` ones as they were written."""
    named = _named(rows, sound)
    vanished = log.counted(connection) - len(rows)
    if vanished == 0:
        return Missing(lost=len(named))
    return Missing(named, max(vanished, len(named)))


def of_rows(rows: Collection[Row]) -> Missing:
    """What is missing among rows that nobody counted, all as they were written."""
    named = _named(rows, rows)
    return Missing(named, len(named))


def vanished(connection: Connection) -> int:
    """How many of the events that were added to a store are not there any more."""
    # Of the rows themselves: an index may still list what the table has lost.
    return max(0, log.counted(connection) - len(connection.read("SELECT hash FROM events")))


def accept(connection: Connection) -> int:
    """Count anew, once the learner was told how many events are missing; how many are.

    In a transaction. Whoever finds them somewhere may still add them.
    """
    rows = log.rows(connection)
    named = _named(rows, (row for row in rows if is_as_written(row)))
    count = max(len(named), log.counted(connection) - len(rows))
    meta.put(connection, "events", str(len(rows)))
    return count


def _named(rows: Iterable[Row], sound: Iterable[Row]) -> dict[str, str]:
    ids = {row.id for row in rows}
    return {row.after: row.device for row in sound if row.after and row.after not in ids}
