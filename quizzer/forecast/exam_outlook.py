"""What an exam ahead will find: the days until then foretold with expected values, without luck."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from quizzer.deck import Deck, Entry
from quizzer.forecast.exam_days import OnTheWay
from quizzer.forecast.exam_needs import Need, Needs
from quizzer.plan.exams import exams_ahead, is_unseen
from quizzer.plan.pace import Pace, step_share_of
from quizzer.plan.queue import easy_first
from quizzer.plan.settings import Settings
from quizzer.store import Store
from quizzer.values import UNSEEN, Progress, Review, State

STEPS = (State.LEARNING, State.RELEARNING)
HABIT_DAYS = 14
"""So many days back tell how long he studies; fewer than `HABIT_LEAST` say nothing."""
HABIT_LEAST = 3
OTHER = "other"
DAY = 24 * 60
"""Minutes; more would be needed where an exam comes too soon."""


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
    """What he has for all exams together: `minutes_per_day`, else as in the last two weeks."""
    need: Need
    shares: bool
    """Whether his minutes are for other exams too."""

    @property
    def days(self) -> int:
        return self.exam_day - self.day

    @property
    def in_time(self) -> bool:
        """Whether he will be ready, as far as is known."""
        minutes = self.need.minutes or 0
        known = self.minutes_a_day is not None
        return not self.need.limits and (not minutes if known else minutes <= DAY)

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
    entries = [entry for entry in deck.entries if entry.header.course.casefold() in exams]
    if not entries:
        return ()
    lately = _lately(deck, store, day, pace)
    minutes = _minutes_for(exams, lately.minutes, settings)
    return foretold(entries, store.progress(), settings, day, pace, minutes, lately.step_share)


def foretold(
    entries: Sequence[Entry],
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
    pace: Pace,
    minutes: float | None,
    step_share: float = 1.0,
) -> tuple[Outlook, ...]:
    """The outlook for these cards of courses with an exam ahead, at so many minutes a day for all.

    Without minutes those are taken that would do. A repetition in a step takes this share of the
    card's minutes.
    """
    known = {entry.id: progress.get(entry.id, UNSEEN) for entry in entries}
    meant = [entry for entry in easy_first(entries) if _is_meant(entry, known[entry.id])]
    by_course = defaultdict[str, list[Entry]](list)
    for entry in meant:
        by_course[entry.header.course.casefold()].append(entry)
    ahead = exams_ahead(settings, day)
    exams = {course: ahead[course] for course in sorted(by_course, key=lambda name: ahead[name])}
    if not exams:
        return ()

    takes = [(entry, pace.minutes(entry)) for entry in meant]
    cards = [OnTheWay.of(entry, known[entry.id], each, step_share * each) for entry, each in takes]
    needs = Needs(cards, exams, settings, day)
    has = minutes or 0.0
    need = needs.by_course(has)
    if minutes is None:
        has = min(DAY, max(each.minutes or 0.0 for each in need.values()))
    arrived = needs.lived(has).cards
    fates = {
        now.id: _Fate.of(now, then, exams[now.course], settings)
        for now, then in zip(cards, arrived, strict=True)
    }
    return tuple(
        Outlook(
            course=own[0].header.course,
            day=day,
            exam_day=exams[course],
            seen_now=sum(known[entry.id].memory is not None for entry in own),
            whole=_topic(own[0].header.course, [fates[entry.id] for entry in own]),
            topics=tuple(
                _topic(name, [fates[card] for card in ids]) for name, ids in topics_of(own).items()
            ),
            minutes_a_day=minutes,
            need=need[course],
            shares=len(exams) > 1,
        )
        for course, own in ((course, by_course[course]) for course in exams)
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


@dataclass(frozen=True, slots=True)
class _Fate:
    """What becomes of a card until the exam."""

    seen: bool
    recall: float
    recall_alone: float
    """If it is left alone from now on."""

    @classmethod
    def of(cls, now: OnTheWay, then: OnTheWay, exam_day: int, settings: Settings) -> "_Fate":
        recall, alone = then.recall(exam_day, settings), now.recall(exam_day, settings)
        return cls(then.strength is not None, recall, alone)


def _topic(name: str, fates: Sequence[_Fate]) -> Topic:
    return Topic(
        name=name,
        cards=len(fates),
        seen=sum(fate.seen for fate in fates),
        recall=fmean(fate.recall for fate in fates),
        recall_alone=fmean(fate.recall_alone for fate in fates),
    )


def _is_meant(entry: Entry, known: Progress) -> bool:
    """Whether the card is part of what is prepared for the exam."""
    return is_unseen(entry, known) or (known.memory is not None and not known.suspended)


@dataclass(frozen=True, slots=True)
class _Lately:
    """How he studied over the last two weeks."""

    minutes: Mapping[str, float] | None
    """A day, by course; None where there is too little to say."""
    step_share: float


def _lately(deck: Deck, store: Store, day: int, pace: Pace) -> _Lately:
    undone = store.undone_ids()
    spent, days = defaultdict[str, float](float), set[int]()
    at_first, in_step = list[float](), list[float]()
    for event in store.events(since_day=day - HABIT_DAYS, kinds=(Review,)):
        entry = deck.by_id.get(event.fact.card)
        if entry and isinstance(event.fact, Review) and event.id not in undone and event.day < day:
            seconds = event.fact.seconds
            course = entry.header.course.casefold()
            spent[course] += pace.minutes(entry) if seconds is None else seconds / 60
            days.add(event.day)
            if seconds is not None:
                (in_step if event.fact.state in STEPS else at_first).append(seconds)
    share = step_share_of(at_first, in_step)
    if len(days) < HABIT_LEAST:
        return _Lately(None, share)
    return _Lately({course: total / (day - min(days)) for course, total in spent.items()}, share)


def _minutes_for(
    courses: Collection[str], lately: Mapping[str, float] | None, settings: Settings
) -> float | None:
    """What he has a day for these courses: his limit, for they come first, or their habits."""
    if settings.minutes_per_day is not None:
        return settings.minutes_per_day
    habits = [lately[course] for course in courses if course in lately] if lately else []
    return sum(habits) if habits else None
