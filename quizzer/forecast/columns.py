"""Deck, memories and settings as the columns of numbers that `schedule.simulate` works on."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from quizzer.deck import Deck, Entry
from quizzer.forecast.coming import Cards, DayMinutes, Exams, Limit
from quizzer.forecast.many import NEW, STATES, KnownMemories
from quizzer.plan.exams import LATELY, WORTHWHILE, new_limits
from quizzer.plan.pace import Pace, minutes_left
from quizzer.plan.queue import courses_of, easy_first
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import UNSEEN, Memory, Progress


def that_come(deck: Deck, progress: Mapping[str, Progress]) -> list[Entry]:
    """The cards that come some day: those with a memory, then the new ones in their order."""
    known: list[Entry] = []
    new: list[Entry] = []
    for entry in deck.entries:
        found = progress.get(entry.id, UNSEEN)
        if found.suspended:
            continue
        if found.memory:
            known.append(entry)
        elif entry.header.status != "mastered":
            new.append(entry)
    return [*known, *easy_first(new)]


def columns(
    deck: Deck,
    entries: Sequence[Entry],
    progress: Mapping[str, Progress],
    done: Done,
    pace: Pace,
    settings: Settings,
    today: int,
) -> Cards:
    """These cards with the limits of the coming days, exams and minutes among them.

    `deck` knows the courses of the cards that were `done` today.
    """
    found = [progress.get(entry.id, UNSEEN) for entry in entries]
    courses = [entry.header.course for entry in entries]
    met = list(courses_of(deck, done.new))
    by_exam = new_limits(deck, progress, done, settings, today)
    return Cards(
        known=_known([each.memory for each in found]),
        earliest=np.array([today + (each.buried_on == today) for each in found], np.int64),
        minutes=np.array([pace.minutes(entry) for entry in entries], np.float64),
        reviews=_limit(
            courses,
            settings.reviews_per_day,
            lambda course: settings.course(course).reviews_per_day,
            courses_of(deck, done.reviews),
        ),
        new=_limit(
            courses,
            settings.new_per_day,
            lambda course: settings.course(course).new_per_day,
            (course for course in met if course.casefold() not in by_exam),
        ),
        exams=_exams(courses, settings, today, by_exam, met),
        budget=_budget(settings, done),
    )


def _known(memories: Sequence[Memory | None]) -> KnownMemories:
    rows = [
        (STATES[one.state], one.stability, one.difficulty, one.day, one.interval)
        if one
        else (NEW, np.nan, np.nan, 0, 0)
        for one in memories
    ]
    state, stability, difficulty, day, interval = np.array(rows, np.float64).reshape(-1, 5).T
    whole = (column.astype(np.int64) for column in (state, day, interval))
    state_column, day_column, interval_column = whole
    return KnownMemories(state_column, stability, difficulty, day_column, interval_column)


def _limit(
    courses: Sequence[str], general: int, own: Callable[[str], int | None], met: Iterable[str]
) -> Limit:
    """The purses that the queue has: one for each course with a limit of its own, one for all."""
    limits: dict[str | None, int] = {None: general}

    def purse(course: str) -> str | None:
        limit = own(course)
        if limit is None:
            return None
        limits[course.casefold()] = limit
        return course.casefold()

    purses = [purse(course) for course in courses]
    spent = Counter(purse(course) for course in met)
    places = {name: place for place, name in enumerate(limits)}
    per_day = np.array(list(limits.values()), np.int64)
    today = per_day - np.array([spent[name] for name in limits], np.int64)
    return Limit(np.array([places[name] for name in purses], np.int64), per_day, today)


def _exams(
    courses: Sequence[str],
    settings: Settings,
    today: int,
    new_by_exam: Mapping[str, int],
    met: Iterable[str],
) -> Exams:
    """The exams of these courses that are still to be written; `met` are courses of new cards."""
    known = ((course, settings.course(course).exam_day) for course in map(str.casefold, courses))
    days = {course: day for course, day in known if day is not None and day > today}
    places = {course: place for place, course in enumerate(days)}
    spent = Counter(map(str.casefold, met))
    by_hand = [settings.course(course).new_per_day is not None for course in days]
    left = [new_by_exam.get(course, 0) - spent[course] for course in days]
    return Exams(
        of=np.array([places.get(course.casefold(), -1) for course in courses], np.int64),
        days=np.array(list(days.values()), np.int64),
        plans_new=~np.array(by_hand, np.bool_),
        new_today=np.array(left, np.int64),
        worthwhile=WORTHWHILE,
        lately=LATELY,
    )


def _budget(settings: Settings, done: Done) -> DayMinutes | None:
    left = minutes_left(settings, done)
    if settings.minutes_per_day is None or left is None:
        return None
    return DayMinutes(settings.minutes_per_day, left, begun=bool(done.new or done.reviews))
