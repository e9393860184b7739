"""Two machines, one history: after a sync, both sides have all events of both logs.

What is lacking here is added first, then what is lacking there, each some thousands of events at a
time. A sync that ends between two of them, or anywhere else, is completed by the next one.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from quizzer.store import clock, merge
from quizzer.store.codec import Row
from quizzer.store.errors import TargetError
from quizzer.store.merge import Log
from quizzer.store.store import Store

MANY = 10_000
"""Events that are taken at a time."""


class Target(Protocol):
    """What a store is synced with, held so that nobody else adds to it meanwhile."""

    @property
    def name(self) -> str: ...

    @property
    def log(self) -> Log: ...

    @property
    def remedy(self) -> str:
        """What to do if it is damaged."""

    @property
    def converted(self) -> str | None:
        """What to say if it was of an older format."""

    @property
    def faults(self) -> Sequence[str]:
        """Events that could not be converted, for they are not as they were written."""

    @property
    def vanished(self) -> int:
        """How many of the events that were added to it are not there any longer."""

    @property
    def unclaimed(self) -> str | None:
        """The learner's name there, where it was only assumed."""

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows that it lacks, all or none."""


class Exchange(NamedTuple):
    """How many events were taken and given, and how many cards were rescheduled."""

    taken: int
    given: int
    cards: int
    not_taken: tuple[str, ...] = ()
    """Events of the target that are not as they were written."""
    not_given: tuple[str, ...] = ()
    """Events of the store that are not."""
    odd: str | None = None
    """What to say of events that were taken and are dated in the future."""


def sync(store: Store, target: Target, now: datetime) -> Exchange:
    """Exchange events so that store and target have the same. Raises StoreError; nothing is lost.

    What is damaged is exchanged neither way; all else is.
    """
    _see_whose(target, store.log)
    early = [*_taken_early(store, target, now)]
    lacking = merge.lacking(store.log, target.log)
    late = store.take(lacking.one.rows, now)
    taken = sum(each.taken for each in early) + len(lacking.one.rows)
    cards = late.union(*(each.cards for each in early))
    given = lacking.other.rows
    faults = (*target.faults, *lacking.one.faults)
    if target.vanished:
        # They may still be found by their bytes, so the file is not rewritten.
        faults = (*faults, f"{target.vanished} of the events that were added to it are missing")
        given = []
    elif given or target.converted:
        target.add(given)
    not_given = tuple(lacking.other.faults)
    odd = next((each.odd for each in early if each.odd), None)
    odd = clock.warning_of(lacking.one.rows, now) or odd
    return Exchange(taken, len(given), len(cards), faults, not_given, odd)


class _Taken(NamedTuple):
    taken: int
    cards: frozenset[str]
    odd: str | None


def _taken_early(store: Store, target: Target, now: datetime) -> Iterator[_Taken]:
    """Take all but the last of what is much, so that a lost connection costs one batch."""
    ours = store.log.hashes()
    ids = sorted(target.log.hashes().keys() - ours.keys())
    for start in range(0, len(ids) - MANY, MANY):
        rows = merge.sound(target.log.rows({*ids[start : start + MANY]}), ours).rows
        yield _Taken(len(rows), store.take(rows, now), clock.warning_of(rows, now))


def _see_whose(target: Target, here: Log) -> None:
    """Refuse to mix two people's histories because their machines call them by one name."""
    there = target.log
    if target.unclaimed and (devices := there.devices()) and not devices & here.devices():
        events = len(there.hashes())
        told = "1 event" if events == 1 else f"{events} events"
        raise TargetError.at(
            target.name,
            f"has {told} of a learner “{target.unclaimed}”, none of which is known here",
            f"If they are yours, say so with --learner {target.unclaimed}; if not, choose another "
            "name with --learner NAME.",
        )
