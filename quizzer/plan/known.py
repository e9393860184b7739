"""What the log says of the cards that may come on a day: of 10,000 cards, those that are due."""

from collections.abc import Mapping, Set

from msgspec import Struct

from quizzer.deck import Deck, Entry
from quizzer.plan.exams import exams_near
from quizzer.plan.queue import Queue
from quizzer.plan.settings import Settings
from quizzer.store import Store
from quizzer.values import Progress


class Known(Struct, frozen=True):
    """The progress of every card that was met, but of those in `later`."""

    progress: Mapping[str, Progress]
    later: Set[str] = frozenset()
    """The ids of cards that were met or suspended and cannot come."""


def known_of(
    store: Store, settings: Settings, day: int, ahead: int = 0, *, every: bool = False
) -> Known:
    """What a queue of this day has to know, of `every` card if wished. Raises StoreError.

    `ahead` takes cards that fall due within so many days as well.
    """
    # Soon before an exam cards may come before their day, and then all of them are looked at.
    if every or exams_near(settings, day):
        return Known(store.progress())
    return Known(*store.progress_until(day + ahead))


def at_hand(deck: Deck, store: Store, queue: Queue) -> tuple[Entry, ...]:
    """The cards of today's queue and those reviewed since yesterday, each once."""
    lately = store.met_since(queue.day - 1) & deck.by_id.keys()
    coming = [*queue.steps, *queue.today, *queue.new, *(deck.by_id[card] for card in lately)]
    return tuple({entry.id: entry for entry in coming}.values())
