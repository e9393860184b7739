"""Which card a session takes next, and how many are left."""

from collections.abc import Sequence, Set
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from quizzer.deck import Deck, Entry, Filter
from quizzer.plan.backlog import Backlog, backlog
from quizzer.plan.exams import is_near
from quizzer.plan.forms import comes_short, in_forms
from quizzer.plan.known import Known, at_hand, known_of
from quizzer.plan.pace import Pace, minutes_left, pace_of
from quizzer.plan.queue import Queue, due_at, plan, ready, within
from quizzer.plan.settings import Settings
from quizzer.store import Done, Store
from quizzer.values import Clock, Form, start_of_day, study_day

MINUTE = timedelta(minutes=1)


class Remaining(Struct, frozen=True):
    """Cards still to come in this session, the present one not counted."""

    steps: int
    reviews: int
    new: int
    minutes: float
    """What they and the present card are expected to take."""

    @property
    def total(self) -> int:
        return self.steps + self.reviews + self.new


class Agenda:
    """The queue as this session sees it: without what was skipped, within its own limits.

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
        minutes: float | None = None,
        ahead: int = 0,
        form: Form | None = None,
    ) -> None:
        """`form`: the one in which every card comes that can have it."""
        self._deck = deck
        self._store = store
        self._settings = settings
        self._clock = clock
        self._wanted = wanted
        self._limit = limit
        self._minutes = minutes
        self._ahead = ahead
        self._skipped: set[str] = set()
        self._form = form
        self._pace = self._with_forms(pace_of(deck, store))
        self._began = self._taken = clock()
        """When the session began, and when its present card was taken."""

    @property
    def budget(self) -> float | None:
        """Minutes of this session, else of a day; None where they are not counted."""
        return self._settings.minutes_per_day if self._minutes is None else self._minutes

    def renew(self, deck: Deck, settings: Settings, new_day: bool) -> None:
        """Go on with these; on a new day, what was skipped may come again."""
        self._deck = deck
        self._settings = settings
        self._pace = self._with_forms(pace_of(deck, self._store))
        if new_day:
            self._skipped.clear()

    def skip(self, entry: Entry) -> None:
        """Leave the card out for today's session."""
        self._skipped.add(entry.id)

    def coming(
        self, rated: Set[str], early: bool = False, here: Entry | None = None
    ) -> Sequence[Entry]:
        """The next cards after the card `here`; with `early`, those that still wait if there is
        nothing else."""
        now = self._clock()
        if here is None:
            self._taken = now
        self._pace = self._with_forms(self._pace)
        known = self._known()
        queue = self._queue(known, rated, here)
        candidates = [*ready(queue, known.progress, self._settings, now), *queue.fresh]
        return candidates or (queue.steps if early else ())

    @property
    def comes_short(self) -> bool:
        """Whether any card comes in a short form."""
        if self._form is not None:
            return self._form is not Form.BLANK
        return comes_short(self._settings)

    def form(self, entry: Entry) -> Form:
        """In which form the card comes now, if it can have it."""
        return self._pace.form_of(entry)

    def waiting_until(self) -> datetime | None:
        """When the next card comes back from its step, if any waits."""
        known, now = self._known(), self._clock()
        return min(
            (
                due_at(memory, entry, self._settings, now)
                for entry in self._queue(known).steps
                if (memory := known.progress[entry.id].memory)
            ),
            default=None,
        )

    def remaining(self, rated: Set[str], here: Entry | None) -> Remaining:
        """What is still to come after the card `here`."""
        queue = self._queue(self._known(), rated, here)
        minutes = self._pace.total([*queue.steps, *queue.fresh, *([here] if here else [])])
        return Remaining(len(queue.steps), len(queue.today), len(queue.new), minutes)

    def at_hand(self) -> tuple[Entry, ...]:
        """The cards of this session and those reviewed since yesterday."""
        return at_hand(self._deck, self._store, self._queue(self._known()))

    def left(self) -> tuple[int, float]:
        """How many cards today's limits in cards still allow, steps apart, and their minutes."""
        fresh = self._plan(self._known(), self._done()).fresh
        return len(fresh), self._pace.total(fresh)

    def beyond(self) -> int:
        """How many cards are due that today's limits in cards do not allow."""
        queue = self._plan(self._known(), self._done())
        return len(queue.reviews) - len(queue.today)

    def tomorrow(self) -> Remaining:
        """What tomorrow brings as things stand, within its limits."""
        settings = self._settings
        start = start_of_day(self._today() + 1, self._clock(), settings.rollover_hour)
        known = known_of(self._store, settings, self._today() + 1)
        queue = plan(
            self._deck, known.progress, Done(), settings, start, later=known.later, pace=self._pace
        )
        queue = within(queue, self._pace, settings.minutes_per_day, begun=False)
        minutes = self._pace.total([*queue.steps, *queue.fresh])
        return Remaining(len(queue.steps), len(queue.today), len(queue.new), minutes)

    def backlog(self) -> Backlog | None:
        """What waits, where far more is due than this session and a day's limits take."""
        if self._limit is not None or (self._wanted and self._wanted.cards):
            return None
        known = self._known()
        queue, progress = self._queue(known), known.progress
        whole_day = self._in_time(self._plan(known, Done()), Done(), begun=False, here=None)
        # Cards taken before their day are no backlog.
        due = [
            entry
            for entry in queue.reviews
            if (memory := progress[entry.id].memory) and memory.due_day <= queue.day
        ]
        return backlog(
            due,
            queue.today,
            len(whole_day.today),
            progress,
            self._pace,
            queue.day,
            self._settings.parameters,
            any(is_near(entry.header.course, self._settings, queue.day) for entry in due),
        )

    def _queue(
        self,
        known: Known,
        rated: Set[str] = frozenset(),
        here: Entry | None = None,
    ) -> Queue:
        """The queue without the card `here`, within what the session has room for beside it."""
        done = self._done()
        queue = self._plan(known, done)
        gone = self._skipped | ({here.id} if here else set())

        def rest(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
            return tuple(entry for entry in entries if entry.id not in gone)

        queue = replace(
            queue,
            steps=rest(queue.steps),
            reviews=rest(queue.reviews),
            today=rest(queue.today),
            new=rest(queue.new),
        )
        if self._limit is not None:
            taken = rated | ({here.id} if here else set())
            queue = queue.first(max(0, self._limit - len(taken)))
        return self._in_time(queue, done, bool(rated), here)

    def _in_time(self, queue: Queue, done: Done, begun: bool, here: Entry | None) -> Queue:
        """The cards for which there is time: this session's own, else what the day has left."""
        if self._minutes is not None:
            left: float | None = self._minutes - (self._taken - self._began) // MINUTE
        elif self._wanted and self._wanted.cards:
            left = None
        else:
            left = minutes_left(self._settings, done.seconds)
            begun = begun or bool(done.new or done.reviews)
        if left is not None and here:
            left, begun = left - self._pace.minutes(here), True
        return within(queue, self._pace, left, begun)

    def _with_forms(self, pace: Pace) -> Pace:
        store, settings = self._store, self._settings
        return in_forms(pace, store, settings, self._today(), self._form)

    def _plan(self, known: Known, done: Done) -> Queue:
        return plan(
            self._deck,
            known.progress,
            done,
            self._settings,
            self._clock(),
            self._wanted,
            self._ahead,
            known.later,
            self._pace,
        )

    def _known(self) -> Known:
        wanted = self._wanted
        every = bool(wanted and wanted.cards)
        return known_of(self._store, self._settings, self._today(), self._ahead, every=every)

    def _done(self) -> Done:
        return self._store.done(self._today())

    def _today(self) -> int:
        return study_day(self._clock(), self._settings.rollover_hour)
