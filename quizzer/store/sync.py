"""Two machines, one history: each side of a sync ends up with the union of both logs.

What is lacking here is added in one transaction, what is lacking there in another. A sync that
ends between the two, or anywhere else, is completed by the next one.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple, Protocol

from quizzer.store import union
from quizzer.store.codec import Row
from quizzer.store.errors import StoreDamagedError, TargetError
from quizzer.store.store import Store
from quizzer.store.union import Log, UnsoundError


class Target(Protocol):
    """What a store is united with, held so that nobody else adds to it meanwhile."""

    @property
    def name(self) -> str: ...

    @property
    def log(self) -> Log: ...

    @property
    def remedy(self) -> str:
        """What to do if it is damaged."""

    @property
    def unclaimed(self) -> str | None:
        """The learner's name there, where it was only assumed."""

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows that it lacks, all or none."""


class Exchange(NamedTuple):
    """How many events were taken and given, and of how many cards the memory was made anew."""

    taken: int
    given: int
    cards: int


def sync(store: Store, target: Target, now: datetime) -> Exchange:
    """Unite the store's log with the target's. Raises StoreError; nothing is lost then."""
    with _refused(target):
        lacking = union.lacking(store.log, target.log)
        _see_whose(target, store.log)
        union.prove(lacking.one, store.log)
    try:
        union.prove(lacking.other, target.log)
    except UnsoundError as error:
        raise StoreDamagedError.at(store.path, str(error)) from error
    with _refused(target):
        cards = store.take(lacking.one, now)
        if lacking.other:
            target.add(lacking.other)
    return Exchange(len(lacking.one), len(lacking.other), len(cards))


def _see_whose(target: Target, here: Log) -> None:
    """Refuse to mix two people's histories because their machines call them by one name."""
    heads = target.log.heads()
    if target.unclaimed and heads and not heads.keys() & here.heads().keys():
        events = sum(head.events for head in heads.values())
        told = "1 event" if events == 1 else f"{events} events"
        raise TargetError.at(
            target.name,
            f"has {told} of a learner “{target.unclaimed}”, none of which is known here",
            f"If they are yours, say so with --learner {target.unclaimed}; if not, choose another "
            "name with --learner NAME.",
        )


@contextmanager
def _refused(target: Target) -> Iterator[None]:
    try:
        yield
    except UnsoundError as error:
        raise TargetError.damaged(target.name, str(error), target.remedy) from error
