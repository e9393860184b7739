"""What is to be reviewed now, and in which order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from operator import itemgetter

from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.deck import Deck, Entry, Filter
from quizzer.plan.exams import (
    cards_of,
    exams_ahead,
    exams_near,
    new_limits,
    toward_exams,
    unseen_this_morning,
)
from quizzer.plan.leeches import LEECH, is_leech
from quizzer.plan.meeting import InOrder, to_meet
from quizzer.plan.pace import BY_RULE, Pace
from quizzer.plan.quotas import Quotas
from quizzer.plan.related import Apart
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import UNSEEN, Memory, Progress, study_day

FLAGGED = "flagged"
NEW_FIRST = 3
"""New cards in a short form that come before reviews on a blank page."""


class Queue(Struct, frozen=True):
    """The cards of a day: those in a step, those due, and the new ones still allowed."""

    day: int
    steps: tuple[Entry, ...]
    """In learning or relearning, the earliest first, even before it is over."""
    reviews: tuple[Entry, ...]
    """Due for review, the earliest due day first, all of them; see `backlog` for why.

    Those of courses with an exam ahead come before all others. Soon before it they come by their
    gain, and some of them, at the end, before their day.
    """
    today: tuple[Entry, ...]
    """Those of `reviews` that the daily limit still allows."""
    new: tuple[Entry, ...]
    """Never reviewed, those that the daily limit still allows."""
    related: tuple[Entry, ...] = ()
    """Would come today too, but wait until tomorrow, since a related card comes today."""
    exams: frozenset[str] = frozenset()
    """Courses with an exam ahead, in lower case."""
    short: frozenset[str] = frozenset()
    """The ids of those of today's cards that come in a short form."""

    @property
    def fresh(self) -> tuple[Entry, ...]:
        """Today's reviews, then the new cards.

        New ones of courses with an exam ahead come before all: nothing adds more than a first look.
        Short forms come before blank pages, a few new cards among them: where time is short, the
        minutes of one page are better spent on four of them. No new card comes before one that is
        to be met before it: an exam's takes that along, a short form waits for it.
        """
        own, others = self._toward_exams()
        if not self.short:
            return (*own, *self.today, *others)
        first, later = list[Entry](), set[str]()
        for entry in others:
            soon = entry.id in self.short and later.isdisjoint(entry.after)
            if soon and len(first) < NEW_FIRST:
                first.append(entry)
            else:
                later.add(entry.id)
        brief = [entry for entry in self.today if entry.id in self.short]
        pages = (entry for entry in self.today if entry.id not in self.short)
        return (*own, *brief, *first, *pages, *(e for e in others if e.id in later))

    def _toward_exams(self) -> tuple[list[Entry], list[Entry]]:
        """The new cards of courses with an exam ahead and those to be met before them, and the
        others."""
        if not self.exams:
            return [], [*self.new]
        own, others, before = list[Entry](), list[Entry](), set[str]()
        for entry in reversed(self.new):
            if entry.id in before or entry.header.course.casefold() in self.exams:
                own.append(entry)
                before.update(entry.after)
            else:
                others.append(entry)
        return own[::-1], others[::-1]

    def first(self, number: int) -> "Queue":
        """The same with the first so many of the fresh cards; steps stay."""
        kept = {entry.id for entry in self.fresh[:number]}
        return replace(
            self,
            today=tuple(entry for entry in self.today if entry.id in kept),
            new=tuple(entry for entry in self.new if entry.id in kept),
        )


class Candidates(Struct, frozen=True):
    """Cards that may come on a day, before any limit."""

    steps: Sequence[Entry]
    """The earliest first."""
    due: Sequence[Entry]
    """The earliest due day first, of equal ones the shortest interval."""
    new: Iterable[Entry]
    """In the order in which they are to be met."""
    named: Sequence[Entry] = ()
    """Those that a filter names: they come whatever their day and the limits."""
    early: Sequence[Entry] = ()
    """Not due yet, but an exam is near."""
    near: Mapping[str, Sequence[Entry]] = field(default_factory=dict)
    """All cards of each course whose exam is near, by course in lower case."""
    unseen: Mapping[str, int] = field(default_factory=dict)
    """How many cards each course with an exam ahead had still to be met this morning."""


def plan(
    deck: Deck,
    progress: Mapping[str, Progress],
    done: Done,
    settings: Settings,
    now: datetime,
    wanted: Filter | None = None,
    ahead: int = 0,
    later: Set[str] = frozenset(),
    pace: Pace = BY_RULE,
) -> Queue:
    """The queue of this moment. `ahead` takes reviews that fall due within so many days as well.

    `later` are ids of cards known not to come, which `progress` need not have; with an exam near,
    every card counts.
    """
    day = study_day(now, settings.rollover_hour)
    found = _candidates(deck, progress, done, settings, day, wanted, ahead, later)
    return arranged(deck, found, progress, done, settings, day, pace)


def arranged(
    deck: Deck,
    found: Candidates,
    progress: Mapping[str, Progress],
    done: Done,
    settings: Settings,
    day: int,
    pace: Pace,
) -> Queue:
    """The queue that these candidates make: the rules of a day, for today as for days foretold."""
    exams = exams_ahead(settings, day)
    due = found.due
    if exams:
        # What time there is goes to the exam first, for after it there is time for the rest.
        due = sorted(due, key=lambda entry: entry.header.course.casefold() not in exams)
    wished = toward_exams(due, found.early, found.near, progress, settings, day, pace)
    of_reviews, of_new = _quotas(deck, done, settings, found.unseen, day)
    if found.early:
        # A card before its day is shown only if the limit has room for it.
        shown = {entry.id for entry in (*due, *of_reviews.allow(wished))}
        wished = tuple(entry for entry in wished if entry.id in shown)
    came = (deck.by_id.get(card) for card in (*done.new, *done.reviews))
    met = (*found.named, *found.steps, *(entry for entry in came if entry))
    # Soon before an exam there are no days left to wait for.
    apart = Apart(met, hurried=found.near) if settings.bury_related else None
    today = (*found.named, *of_reviews.allow(wished, apart))
    if apart and apart.waiting:
        wished = tuple(entry for entry in wished if entry.id not in apart.waiting)
    # An exam does not wait for the pace of another course.
    new = of_new.allow(found.new, apart, InOrder(hurried=exams))
    return Queue(
        day=day,
        steps=tuple(found.steps),
        reviews=wished,
        today=today,
        new=new,
        short=frozenset(entry.id for entry in (*today, *new) if pace.is_short(entry)),
        related=tuple(apart.waiting.values()) if apart else (),
        exams=frozenset(exams),
    )


def within(queue: Queue, pace: Pace, minutes: float | None, begun: bool) -> Queue:
    """The queue's first cards that fit into so many minutes; before any was begun, one at least."""
    if minutes is None:
        return queue
    return queue.first(max(not begun, pace.fitting(queue.fresh, minutes)))


def is_wanted(entry: Entry, known: Progress, wanted: Filter) -> bool:
    """Whether the filter means this card.

    One flagged in a session has the status `flagged` too; a leech has status and tag `leech`.
    """
    leech = is_leech(known)
    if (known.flagged and FLAGGED in wanted.statuses) or (leech and LEECH in wanted.statuses):
        wanted = replace(wanted, statuses=())
    if leech and LEECH in wanted.tags:
        wanted = replace(wanted, tags=())
    return wanted.matches(entry)


def courses_of(deck: Deck, cards: Iterable[str]) -> Iterator[str]:
    """The courses of these ids; one that is in the deck no longer has none, that is ""."""
    found = (deck.by_id.get(card) for card in cards)
    return (entry.header.course if entry else "" for entry in found)


def ready(
    queue: Queue, progress: Mapping[str, Progress], settings: Settings, now: datetime
) -> tuple[Entry, ...]:
    """Cards whose step is over."""
    return tuple(
        entry
        for entry in queue.steps
        if (memory := progress[entry.id].memory)
        and memory.is_due(now, queue.day, step_of(memory, entry, settings))
    )


def due_at(memory: Memory, entry: Entry, settings: Settings, now: datetime) -> datetime:
    """The instant from which the card is queued, in the learner's present zone."""
    return memory.due_at(now, settings.rollover_hour, step_of(memory, entry, settings))


def step_of(memory: Memory, entry: Entry, settings: Settings) -> int:
    """The minutes of the card's step."""
    return settings.step_minutes(entry.header.course, memory.state)


def _candidates(
    deck: Deck,
    progress: Mapping[str, Progress],
    done: Done,
    settings: Settings,
    day: int,
    wanted: Filter | None,
    ahead: int,
    later: Set[str],
) -> Candidates:
    named, early = list[Entry](), list[Entry]()
    new = set[str]()
    steps: list[tuple[datetime, Entry]] = []
    reviews: list[tuple[int, int, Entry]] = []
    near, by_id = dict.fromkeys(exams_near(settings, day)), deck.by_id
    for card in [card for card in by_id if card not in later]:
        known = progress.get(card, UNSEEN)
        if known.suspended or known.buried_on == day:
            continue
        memory = known.memory
        if not memory and not wanted:
            new.add(card)
            continue
        entry = by_id[card]
        if wanted and not is_wanted(entry, known, wanted):
            continue
        if wanted and entry.id in wanted.cards and not (memory and memory.day == day):
            named.append(entry)
        elif memory is None:
            new.add(card)
        elif memory.interval == 0:
            steps.append((memory.at, entry))
        elif (due_day := memory.due_day) <= (day + ahead if memory.day < day else day):
            # What was reviewed today is done for today, however far ahead they want to go.
            reviews.append((due_day, memory.interval, entry))
        elif memory.day < day and near and entry.header.course.casefold() in near:
            early.append(entry)
    met = later | {card for card, known in progress.items() if known.memory}
    steps.sort(key=itemgetter(0))
    reviews.sort(key=itemgetter(0, 1))
    return Candidates(
        steps=[entry for _, entry in steps],
        due=[entry for *_, entry in reviews],
        new=_Taken(to_meet(deck, new, met, mastered=bool(wanted and wanted.statuses))),
        named=named,
        early=early,
        near=cards_of(deck, near),
        unseen=unseen_this_morning(deck, progress, done, settings, day, later),
    )


class _Taken(Iterable[Entry]):
    """Entries that are made as they are taken, and may be gone through again.

    Of 10,000 new cards a day takes five.
    """

    def __init__(self, coming: Iterator[Entry]) -> None:
        self._coming = coming
        self._taken: list[Entry] = []

    def __iter__(self) -> Iterator[Entry]:
        place = 0
        while place < len(self._taken) or self._take():
            yield self._taken[place]
            place += 1

    def _take(self) -> bool:
        for entry in self._coming:
            self._taken.append(entry)
            return True
        return False


def _quotas(
    deck: Deck, done: Done, settings: Settings, unseen: Mapping[str, int], day: int
) -> tuple[Quotas, Quotas]:
    """The day's limits of reviews and of new cards; an exam ahead sets its course's new cards."""
    own_reviews, own_new = dict[str, int](), dict[str, int]()
    for course, own in settings.courses.items():
        if own.reviews_per_day is not None:
            own_reviews[course] = own.reviews_per_day
        if own.new_per_day is not None:
            own_new[course] = own.new_per_day
    own_new |= new_limits(unseen, settings, day)
    return (
        Quotas(settings.reviews_per_day, own_reviews, courses_of(deck, done.reviews)),
        Quotas(settings.new_per_day, own_new, courses_of(deck, done.new)),
    )
