"""What an exam ahead will find: the days until then foretold with expected values, without luck."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf

from quizzer.deck import Deck, Entry
from quizzer.review import UNSEEN, Progress, Review
from quizzer.schedule import exam, fsrs
from quizzer.schedule.fsrs import Strength
from quizzer.session.exams import exams_ahead, is_unseen
from quizzer.session.pace import Pace
from quizzer.session.queue import easy_first
from quizzer.session.settings import Settings
from quizzer.store import Store

HABIT_DAYS = 14
"""So many days back tell how long he studies; fewer than `HABIT_LEAST` say nothing."""
HABIT_LEAST = 3
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Topic:
    """One part of a course; recall is the mean chance over its cards, 0 for those never seen."""

    name: str
    cards: int
    seen: int
    """By the exam day, as foretold."""
    recall: float
    """On the exam day, as foretold."""
    recall_alone: float
    """On the exam day, if nothing is reviewed any more."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the exam of a course will find, if he goes on as he does or as his limits say."""

    course: str
    day: int
    exam_day: int
    seen_now: int
    whole: Topic
    """The course as one."""
    topics: tuple[Topic, ...]
    """Its folders, or the first tags of its cards; none where there is one alone."""
    minutes_a_day: float | None
    """What he has for the course: by `minutes_per_day`, else by the last two weeks."""
    minutes_needed: float
    """A day, for all that the plan wants until the exam."""
    limit_of_new: int | None
    """New cards a day, where that limit was set by hand."""

    @property
    def days(self) -> int:
        return self.exam_day - self.day

    @property
    def in_time(self) -> bool:
        """Whether his minutes are enough for the plan."""
        return self.minutes_a_day is None or self.minutes_a_day >= self.minutes_needed

    @property
    def is_held_back(self) -> bool:
        """Whether the limit of new cards set by hand leaves some unseen, whatever the minutes."""
        limit = self.limit_of_new
        return limit is not None and self.seen_now + limit * self.days < self.whole.cards

    @property
    def all_seen(self) -> bool:
        return self.whole.seen == self.whole.cards


def outlooks(
    deck: Deck, store: Store, settings: Settings, day: int, pace: Pace
) -> tuple[Outlook, ...]:
    """The outlook for every course of the deck with an exam ahead, the next exam first.

    Raises StoreError.
    """
    exams = exams_ahead(settings, day)
    if not exams:
        return ()
    progress = store.progress()
    habits = _minutes_lately(deck, store, day, pace)
    found = []
    for course, exam_day in sorted(exams.items(), key=lambda item: item[1]):
        entries = [entry for entry in deck.entries if entry.header.course.casefold() == course]
        if entries:
            minutes = _minutes_for(course, habits, settings)
            found.append(outlook(entries, progress, settings, day, exam_day, pace, minutes))
    return tuple(outlook for outlook in found if outlook.whole.cards)


def outlook(
    entries: Sequence[Entry],
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
    exam_day: int,
    pace: Pace,
    minutes: float | None,
) -> Outlook:
    """What the exam will find of these cards of one course, at so many minutes a day."""
    known = {entry.id: progress.get(entry.id, UNSEEN) for entry in entries}
    meant = [
        entry
        for entry in easy_first(entries)
        if is_unseen(entry, known[entry.id])
        or (known[entry.id].memory and not known[entry.id].suspended)
    ]
    course = entries[0].header.course
    cards = [_Card.of(entry, known[entry.id], pace.minutes(entry)) for entry in meant]
    alone = {card.id: card.recall(exam_day, settings) for card in cards}
    seen_now = sum(card.strength is not None for card in cards)
    freely = [card.copy() for card in cards]
    needed = _go_on(freely, course, settings, day, exam_day, inf)
    if minutes is None or minutes >= needed:
        cards = freely
    else:
        _go_on(cards, course, settings, day, exam_day, minutes)
    then = {card.id: (card.strength is not None, card.recall(exam_day, settings)) for card in cards}

    def topic(name: str, ids: Sequence[str]) -> Topic:
        count = max(1, len(ids))
        return Topic(
            name=name,
            cards=len(ids),
            seen=sum(then[card][0] for card in ids),
            recall=sum(then[card][1] for card in ids) / count,
            recall_alone=sum(alone[card] for card in ids) / count,
        )

    return Outlook(
        course=course,
        day=day,
        exam_day=exam_day,
        seen_now=seen_now,
        whole=topic(course, [card.id for card in cards]),
        topics=tuple(topic(name, ids) for name, ids in topics_of(meant).items()),
        minutes_a_day=minutes,
        minutes_needed=needed,
        limit_of_new=settings.course(course).new_per_day,
    )


def topics_of(entries: Iterable[Entry]) -> dict[str, list[str]]:
    """The cards' ids by folder; in a single folder by first tag; nothing if that is one too.

    A folder bears the name that its `info.json` gives it.
    """
    by_folder, by_tag = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for entry in entries:
        by_folder[entry.folders[-1] if entry.folders else OTHER].append(entry.id)
        by_tag[entry.header.tags[0] if entry.header.tags else OTHER].append(entry.id)
    for topics in (by_folder, by_tag):
        if len(topics) > 1:
            return dict(topics)
    return {}


@dataclass(slots=True)
class _Card:
    """A card on its way to the exam."""

    id: str
    minutes: float
    strength: Strength | None = None
    day: int = 0
    """Of its last review."""
    due: int = 0
    is_new_today: bool = False

    @classmethod
    def of(cls, entry: Entry, known: Progress, minutes: float) -> "_Card":
        memory = known.memory
        if memory is None:
            return cls(entry.id, minutes)
        strength = Strength(memory.stability, memory.difficulty)
        new = memory.first_day == memory.day
        return cls(entry.id, minutes, strength, memory.day, memory.due_day, new)

    def copy(self) -> "_Card":
        return _Card(self.id, self.minutes, self.strength, self.day, self.due, self.is_new_today)

    def recall(self, exam_day: int, settings: Settings) -> float:
        return exam.recall_on(self.strength, self.day, exam_day, settings.parameters)

    def study(self, day: int, exam_day: int, retention: float, settings: Settings) -> None:
        """Meet the card on this day, both outcomes at once."""
        if self.strength is None:
            self.strength = exam.first_strength(settings.parameters)
        else:
            self.strength = exam.expected_strength(
                self.strength, self.day, day, exam_day, settings.parameters
            )
        days = fsrs.days_until(self.strength.stability, retention, settings.parameters)
        self.day = day
        self.due = day + min(max(1, round(days)), exam.longest_interval(day, exam_day))


def _go_on(
    cards: Sequence[_Card],
    course: str,
    settings: Settings,
    day: int,
    exam_day: int,
    minutes: float,
) -> float:
    """Follow the plan to the eve within so many minutes a day; the minutes it took a day."""
    own = settings.course(course)
    retention = own.desired_retention or settings.desired_retention
    most = settings.reviews_per_day if own.reviews_per_day is None else own.reviews_per_day
    total = 0.0
    for today in range(day, exam_day):
        unseen = [card for card in cards if card.strength is None]
        met = [card for card in cards if card.strength and card.day == today]
        new = sum(card.is_new_today for card in met)
        limit = own.new_per_day
        if limit is None:
            limit = exam.new_per_day(len(unseen) + new, today, exam_day)
        due = [card for card in cards if card.strength and card.day < today and card.due <= today]
        due.sort(key=lambda card: card.due)
        left = minutes - sum(card.minutes for card in met)
        begun = bool(met) or minutes <= 0
        for card in (*unseen[: max(0, limit - new)], *due[:most]):
            left -= card.minutes
            if left < 0 and begun:  # as in a day's queue, where the first card always fits
                break
            begun = True
            card.study(today, exam_day, retention, settings)
            total += card.minutes
    return total / (exam_day - day)


def _minutes_lately(deck: Deck, store: Store, day: int, pace: Pace) -> dict[str, float] | None:
    """His minutes a day by course over the last two weeks; None where they say too little."""
    undone = store.undone_ids()
    spent, days = defaultdict[str, float](float), set[int]()
    for event in store.events(since_day=day - HABIT_DAYS, kinds=(Review,)):
        entry = deck.by_id.get(event.fact.card)
        if entry and isinstance(event.fact, Review) and event.id not in undone and event.day < day:
            seconds = event.fact.seconds
            course = entry.header.course.casefold()
            spent[course] += pace.minutes(entry) if seconds is None else seconds / 60
            days.add(event.day)
    if len(days) < HABIT_LEAST:
        return None
    return {course: total / (day - min(days)) for course, total in spent.items()}


def _minutes_for(
    course: str, lately: Mapping[str, float] | None, settings: Settings
) -> float | None:
    """What he has for the course a day: what his limit leaves beside the others, or his habit.

    Where he has studied for longer than the limit allows now, each course keeps its share of it.
    """
    if settings.minutes_per_day is None:
        return lately.get(course) if lately else None
    total = sum(lately.values()) if lately else 0.0
    own = lately.get(course, 0.0) if lately else 0.0
    share = own / total if total else 0.0
    return max(settings.minutes_per_day - (total - own), share * settings.minutes_per_day)


def rounded_up(minutes: float) -> int:
    """Minutes as one says them: to the next five."""
    return max(5, 5 * ceil(minutes / 5))
