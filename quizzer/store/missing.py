"""Which events a log misses.

Two things tell: each event names its device's event before it, and a store counts the events that
were added to it. Where the count fits, an event that is named but not there never was in this log:
it was lost elsewhere, and nothing is wrong here.
"""

from collections.abc import Collection, Sequence
from typing import Any

from msgspec import Struct, field

from quizzer.store import log, meta
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.layout import id_of
from quizzer.store.pages import Page, kept_as_written


class Missing(Struct, frozen=True):
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


class Chain:
    """Follows a log, event by event, and then tells which ones are missing.

    Nearly every event names the one that its device made just before; only the others are kept.
    """

    def __init__(self, connection: Connection) -> None:
        self.events = 0
        self._connection = connection
        self._counted = log.counted(connection)
        self._newest: dict[Any, Any] = {}
        self._doubtful: dict[Any, Any] = {}

    def follow(self, page: Page, sound: Sequence[bool]) -> None:
        """Take the next events as they are kept, in order of the ids.

        `sound` ones are as they were written.
        """
        self.events += len(page)
        newest = self._newest
        ids, devices, afters, *_ = page.columns
        of_one = len({*devices}) == 1 and all(sound)
        if of_one and (newest.get(devices[0]), *ids[:-1]) == afters:
            newest[devices[0]] = ids[-1]
            return
        for (id, device, after, *_), is_sound in zip(page, sound, strict=True):
            if is_sound and after and newest.get(device) != after:
                self._doubtful[after] = device
            newest[device] = id

    def named(self) -> dict[str, str]:
        """The device of each event that is named and not there, by its id."""
        doubtful = {id_of(id): id_of(device) for id, device in self._doubtful.items()}
        there = log.hashes(self._connection, doubtful)
        return {id: device for id, device in doubtful.items() if id not in there}

    def missing(self) -> Missing:
        """What the store misses that held the events."""
        named = self.named()
        vanished = self._counted - self.events
        if vanished and log.counted(self._connection) != self._counted:
            vanished = _vanished(self._connection)  # others wrote meanwhile
        if vanished == 0:
            return Missing(lost=len(named))
        return Missing(named, max(vanished, len(named)))


def of_rows(rows: Collection[Row]) -> Missing:
    """What is missing among rows that nobody counted, all as they were written."""
    ids = {row.id for row in rows}
    named = {row.after: row.device for row in rows if row.after and row.after not in ids}
    return Missing(named, len(named))


def vanished(connection: Connection) -> int:
    """How many of the events that were added to a store are not there any more."""
    return max(0, _vanished(connection))


def accept(connection: Connection) -> int:
    """Count anew, once the learner was told how many events are missing; how many are.

    In a transaction. Whoever finds them somewhere may still add them.
    """
    chain = Chain(connection)
    for page in log.kept_pages(connection):
        chain.follow(page, kept_as_written(page))
    count = max(len(chain.named()), log.counted(connection) - chain.events)
    meta.put(connection, "events", str(chain.events))
    return count


def _vanished(connection: Connection) -> int:
    """Of the rows themselves: an index may still list what the table has lost."""
    with connection.snapshot():
        ((there,),) = connection.read("SELECT COUNT(length(hash)) FROM events")
        return log.counted(connection) - int(there)
