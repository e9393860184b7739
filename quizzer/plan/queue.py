"""What is to be reviewed now, and in which order."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from quizzer.deck import Deck, Entry, Filter
from quizzer.plan.exams import exams_ahead, is_near, new_limits, toward_exams
from quizzer.plan.leeches import LEECH, is_leech
from quizzer.plan.related import apart, relatives
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import UNSEEN, Progress, study_day

FLAGGED = "flagged"

MIDDLING = 3
"""The difficulty of a card that names none."""


@dataclass(frozen=True, slots=True)
class Queue:
    """The cards of a day: those in a ten-minute step, those due, and the new ones still allowed."""

    day: int
    steps: tuple[Entry, ...]
    """In learning or relearning, the earliest first, even before their ten minutes have passed."""
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

    @property
    def fresh(self) -> tuple[Entry, ...]:
        """Today's reviews, then the new cards.

        Those of courses with an exam ahead come before all: nothing adds more than a first look.
        """
        own, others = list[Entry](), list[Entry]()
        for entry in self.new:
            (own if entry.header.course.casefold() in self.exams else others).append(entry)
        return (*own, *self.today, *others)

    def first(self, number: int) -> "Queue":
        """The same with the first so many of the fresh cards; steps stay."""
        kept = {entry.id for entry in self.fresh[:number]}
        return replace(
            self,
            today=tuple(entry for entry in self.today if entry.id in kept),
            new=tuple(entry for entry in self.new if entry.id in kept),
        )


def plan(
    deck: Deck,
    progress: Mapping[str, Progress],
    done: Done,
    settings: Settings,
    now: datetime,
    wanted: Filter | None = None,
    ahead: int = 0,
    later: Set[str] = frozenset(),
) -> Queue:
    """The queue of this moment. `ahead` takes reviews that fall due within so many days as well.

    `later`: ids of cards of which it is known that they do not come; `progress` need not have them.
    """
    day = study_day(now, settings.rollover_hour)
    found = _candidates(deck, progress, settings, day, wanted, ahead, later)
    exams = exams_ahead(settings, day)
    # What time there is goes to the exam first, for after it there is time for the rest.
    due_in_turn = sorted(found.reviews, key=lambda e: e.header.course.casefold() not in exams)
    wished = toward_exams(due_in_turn, found.early, deck, progress, settings, day)
    unseen = tuple(easy_first(found.new))
    of_reviews, of_new = _limits(deck, progress, done, settings, day)
    # A card before its day is shown only if the limit has room for it.
    due = {entry.id for entry in found.reviews}
    shown = due | {entry.id for entry in of_reviews.allow(wished)}
    wished = tuple(entry for entry in wished if entry.id in shown)
    waiting: tuple[Entry, ...] = ()
    if settings.bury_related:
        here = {entry.id for entry in (*found.named, *found.steps)}
        met = done.new | done.reviews | here
        # Soon before an exam there are no days left to wait for.
        related = {
            card: others
            for card, others in relatives(deck).items()
            if not is_near(deck.by_id[card].header.course, settings, day)
        }
        known_apart, new_apart = apart(related, met, wished, unseen)
        crowded = {entry.id for entry in new_apart.waiting}
        waiting = known_apart.waiting
        waiting += tuple(entry for entry in of_new.allow(unseen) if entry.id in crowded)
        wished, unseen = known_apart.kept, new_apart.kept
    return Queue(
        day=day,
        steps=tuple(found.steps),
        reviews=wished,
        today=(*found.named, *of_reviews.allow(wished)),
        new=of_new.allow(unseen),
        related=waiting,
        exams=frozenset(exams),
    )


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


def easy_first(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Folder by folder in the deck's order, the easier cards of a folder first.

    Of equal ones those come first whose answers are verified.
    """

    def ease(entry: Entry) -> tuple[int, bool]:
        return entry.header.difficulty or MIDDLING, entry.checker is None

    for _, folder in groupby(entries, key=lambda entry: entry.path.parent):
        yield from sorted(folder, key=ease)


def courses_of(deck: Deck, cards: Iterable[str]) -> Iterator[str]:
    """The courses of these ids; one that is in the deck no longer has none, that is ""."""
    found = (deck.by_id.get(card) for card in cards)
    return (entry.header.course if entry else "" for entry in found)


def ready(queue: Queue, progress: Mapping[str, Progress], now: datetime) -> tuple[Entry, ...]:
    """Cards in a step whose ten minutes have passed."""
    return tuple(
        entry
        for entry in queue.steps
        if (memory := progress[entry.id].memory) and memory.is_due(now, queue.day)
    )


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Cards that may come today, before any limit; new ones in the order of the deck."""

    named: list[Entry]
    """Those that the filter names: they come whatever their day and the limits."""
    steps: list[Entry]
    """The earliest first."""
    reviews: list[Entry]
    """The earliest due day first, of equal ones the shortest interval."""
    early: list[Entry]
    """Not due yet, but an exam is near."""
    new: list[Entry]


def _candidates(
    deck: Deck,
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
    wanted: Filter | None,
    ahead: int,
    later: Set[str],
) -> _Candidates:
    named, early, new = list[Entry](), list[Entry](), list[Entry]()
    steps: list[tuple[datetime, Entry]] = []
    reviews: list[tuple[int, int, Entry]] = []
    for entry in deck.without(later):
        known = progress.get(entry.id, UNSEEN)
        if known.suspended or known.buried_on == day:
            continue
        if wanted and not is_wanted(entry, known, wanted):
            continue
        memory = known.memory
        if wanted and entry.id in wanted.cards and not (memory and memory.day == day):
            named.append(entry)
        elif memory is None:
            if entry.header.status != "mastered" or (wanted and wanted.statuses):
                new.append(entry)
        elif memory.interval == 0:
            steps.append((memory.at, entry))
        elif memory.due_day <= (day + ahead if memory.day < day else day):
            # What was reviewed today is done for today, however far ahead he wants to go.
            reviews.append((memory.due_day, memory.interval, entry))
        elif memory.day < day and is_near(entry.header.course, settings, day):
            early.append(entry)
    steps.sort(key=lambda item: item[0])
    reviews.sort(key=lambda item: item[:2])
    return _Candidates(
        named=named,
        steps=[entry for _, entry in steps],
        reviews=[entry for *_, entry in reviews],
        early=early,
        new=new,
    )


def _limits(
    deck: Deck, progress: Mapping[str, Progress], done: Done, settings: Settings, day: int
) -> tuple["_Purses", "_Purses"]:
    """The day's limits of reviews and of new cards; an exam ahead sets its course's new cards."""
    by_exam = new_limits(deck, progress, done, settings, day)
    return _Purses(
        settings.reviews_per_day,
        lambda course: settings.course(course).reviews_per_day,
        courses_of(deck, done.reviews),
    ), _Purses(
        settings.new_per_day,
        lambda course: by_exam.get(course.casefold(), settings.course(course).new_per_day),
        courses_of(deck, done.new),
    )


class _Purses:
    """A daily limit, less what was spent today; a course that sets its own has its own purse."""

    def __init__(
        self, general: int, own: Callable[[str], int | None], spent: Iterable[str]
    ) -> None:
        self._general = general
        self._own = own
        self._spent = Counter(self._purse(course) for course in spent)

    def allow(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        """The entries, in their order, for which there is room."""
        spent = self._spent.copy()
        allowed = []
        for entry in entries:
            course = entry.header.course
            own = self._own(course)
            if spent[self._purse(course)] < (self._general if own is None else own):
                spent[self._purse(course)] += 1
                allowed.append(entry)
        return tuple(allowed)

    def _purse(self, course: str) -> str | None:
        return None if self._own(course) is None else course.casefold()
