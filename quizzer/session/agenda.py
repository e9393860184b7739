"""Which card a session takes next, and how many are left."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from quizzer.deck import Deck, Entry, Filter
from quizzer.review import STEP, Clock, Progress, study_day
from quizzer.session.queue import Queue, plan, ready
from quizzer.session.settings import Settings
from quizzer.store import Store


@dataclass(frozen=True, slots=True)
class Remaining:
    """Cards still to come in this session, the present one not counted."""

    steps: int
    reviews: int
    new: int

    @property
    def total(self) -> int:
        return self.steps + self.reviews + self.new


class Agenda:
    """The queue as this sitting sees it: without what was skipped, within its own limit.

    It is read from the store each time, so that another process may rate at the same time.
    """

    def __init__(
        self,
        deck: Deck,
        store: Store,
        settings: Settings,
        clock: Clock,
        wanted: Filter | None = None,
        limit: int | None = None,
        ahead: int = 0,
    ) -> None:
        self._deck = deck
        self._store = store
        self._settings = settings
        self._clock = clock
        self._wanted = wanted
        self._limit = limit
        self._ahead = ahead
        self._skipped: set[str] = set()

    def skip(self, entry: Entry) -> None:
        """Leave the card out for this session."""
        self._skipped.add(entry.id)

    def next(self, rated: Set[str], early: bool = False) -> Entry | None:
        """The next card; with `early`, one that still waits if there is nothing else."""
        progress = self._store.progress()
        queue = self._queue(progress)
        fresh = [*queue.today, *queue.new] if self._room(rated) != 0 else []
        candidates: Sequence[Entry] = [*ready(queue, progress, self._clock()), *fresh]
        if not candidates and early:
            candidates = queue.steps
        return candidates[0] if candidates else None

    def waiting_until(self) -> datetime | None:
        """When the next card comes back from its ten-minute step, if any waits."""
        progress = self._store.progress()
        known = (progress[entry.id].memory for entry in self._queue(progress).steps)
        return min((memory.at + STEP for memory in known if memory), default=None)

    def remaining(self, rated: Set[str], here: str | None) -> Remaining:
        """What is still to come after the card `here`."""
        queue = self._queue(self._store.progress())
        steps, reviews, new = (
            sum(entry.id != here for entry in cards)
            for cards in (queue.steps, queue.today, queue.new)
        )
        room = self._room(rated)
        if room is not None:
            room -= here is not None and here not in rated
            reviews = max(0, min(reviews, room))
            new = max(0, min(new, room - reviews))
        return Remaining(steps, reviews, new)

    def _queue(self, progress: dict[str, Progress]) -> Queue:
        now = self._clock()
        done = self._store.done(study_day(now, self._settings.rollover_hour))
        queue = plan(self._deck, progress, done, self._settings, now, self._wanted, self._ahead)

        def unskipped(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
            return tuple(entry for entry in entries if entry.id not in self._skipped)

        return replace(
            queue,
            steps=unskipped(queue.steps),
            reviews=unskipped(queue.reviews),
            today=unskipped(queue.today),
            new=unskipped(queue.new),
        )

    def _room(self, rated: Set[str]) -> int | None:
        """How many more cards the session's own limit allows; None without one."""
        return None if self._limit is None else max(0, self._limit - len(rated))
