"""What is said of an exam ahead: recall on its day, as foretold or without another review."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from quizzer.deck import Deck, Entry
from quizzer.forecast.correction import NO_PAST, UNCORRECTED, Corrections, Past
from quizzer.forecast.study_days import EVERY_DAY, StudyDays
from quizzer.fsrs.step import recall_after
from quizzer.plan.exams import exams_ahead, is_unseen
from quizzer.plan.pace import marks
from quizzer.plan.settings import Settings
from quizzer.values import UNSEEN, Progress

OTHER = "other"
DAY = 24 * 60
"""Minutes; more would be needed where an exam comes too soon."""


class Limit(Struct, frozen=True):
    """A daily limit of cards."""

    name: Literal["reviews_per_day", "new_per_day"]
    """In the configuration."""
    per_day: int
    course: str | None
    """In lower case, where the course sets it for itself."""


class Need(Struct, frozen=True):
    """What has to change for a course to be ready; nothing where it will be."""

    minutes: int | None = None
    """A day of study, for all exams together; None where those that there are will do."""
    limits: tuple[Limit, ...] = ()
    """Those that are too low; the minutes are what would do without them."""


class Topic(Struct, frozen=True):
    """One part of a course; recall is the mean chance over its cards, 0 for those never seen."""

    name: str
    cards: int
    seen: int | None
    """By the exam day, as foretold; None without a forecast."""
    recall: float | None
    """On the exam day, as foretold; None without a forecast."""
    recall_alone: float
    """On the exam day, if nothing is reviewed any more."""
    marks: float | None = None
    """The share of the marks that are had on the exam day, as foretold: recall by points."""


class Outlook(Struct, frozen=True):
    """What the exam of a course will find, if the learner goes on as before."""

    course: str
    day: int
    exam_day: int
    seen_now: int
    whole: Topic
    """The course as one."""
    topics: tuple[Topic, ...]
    """Its folders, or the first tags of its cards; none where there is one alone."""
    minutes_a_day: float | None = None
    """Of study, for all exams together: `minutes_per_day`, else as in the last two weeks."""
    need: Need | None = None
    """What it would take; None where nobody searched for it."""
    shares: bool = False
    """Whether the minutes are for other exams too."""
    past: Past = NO_PAST
    study_days: StudyDays = EVERY_DAY
    """Both are what the forecast allows for."""
    as_of: datetime | None = None
    """When it was foretold, if something has changed since."""

    @property
    def days(self) -> int:
        return self.exam_day - self.day

    @property
    def in_time(self) -> bool | None:
        """Whether the course will be ready, as far as is known."""
        if self.need is None:
            return None
        minutes = self.need.minutes or 0
        known = self.minutes_a_day is not None
        return not self.need.limits and (not minutes if known else minutes <= DAY)


def exam_cards(
    deck: Deck, progress: Mapping[str, Progress], settings: Settings, day: int
) -> dict[str, list[Entry]]:
    """What is prepared for the exams ahead, by course in lower case, the next exam first.

    Suspended cards are no part of it, nor mastered ones that were never reviewed.
    """
    exams = exams_ahead(settings, day)
    found: dict[str, list[Entry]] = {course: [] for course in sorted(exams, key=exams.__getitem__)}
    for entry in deck.entries if exams else ():
        if (course := entry.header.course.casefold()) in found:
            known = progress.get(entry.id, UNSEEN)
            if is_unseen(entry, known) or (known.memory and not known.suspended):
                found[course].append(entry)
    return {course: entries for course, entries in found.items() if entries}


def as_things_stand(
    deck: Deck,
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
    corrections: Corrections = UNCORRECTED,
) -> tuple[Outlook, ...]:
    """Recall on the exam days without another review, the next exam first."""
    exams = exams_ahead(settings, day)
    return tuple(
        outlook_of(entries, progress, settings, day, exams[course], corrections)
        for course, entries in exam_cards(deck, progress, settings, day).items()
    )


def outlook_of(
    entries: Sequence[Entry],
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
    exam_day: int,
    corrections: Corrections = UNCORRECTED,
    foretold: Mapping[str, float] | None = None,
    seen: frozenset[str] = frozenset(),
) -> Outlook:
    """The outlook of one course with these cards.

    `foretold` has their recall on the exam day, where there is a forecast, and `seen` those met by
    then.
    """

    course = entries[0].header.course
    past = corrections.of_course(course)

    def alone(card: str) -> float:
        memory = progress.get(card, UNSEEN).memory
        if memory is None:
            return 0.0
        elapsed = exam_day - memory.day
        return past.correction.of(
            recall_after(memory.stability, elapsed, settings.parameters), elapsed, memory.reviews
        )

    counts = {entry.id: marks(entry) for entry in entries}

    def marked(recall: Mapping[str, float], cards: Sequence[str]) -> float:
        return sum(counts[c] * recall[c] for c in cards) / sum(counts[c] for c in cards)

    def topic(name: str, cards: Sequence[str]) -> Topic:
        return Topic(
            name,
            len(cards),
            seen=None if foretold is None else sum(card in seen for card in cards),
            recall=None if foretold is None else _mean(foretold.__getitem__, cards),
            recall_alone=_mean(alone, cards),
            marks=None if foretold is None else marked(foretold, cards),
        )

    ids = [entry.id for entry in entries]
    return Outlook(
        course=course,
        day=day,
        exam_day=exam_day,
        seen_now=sum(progress.get(card, UNSEEN).memory is not None for card in ids),
        whole=topic(course, ids),
        topics=tuple(topic(name, cards) for name, cards in topics_of(entries).items()),
        past=past,
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


def _mean(recall: Callable[[str], float], cards: Sequence[str]) -> float:
    return sum(map(recall, cards)) / len(cards)
