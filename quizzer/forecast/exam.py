"""What the exams ahead will find, foretold by living through the days until then."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from math import inf

from msgspec.structs import replace

from quizzer.deck import Deck
from quizzer.forecast.exam_days import Preparation, live_until_exams
from quizzer.forecast.exam_needs import Needs
from quizzer.forecast.habits import Habits, habits_in
from quizzer.forecast.outlook import DAY, Outlook, exam_cards, outlook_of
from quizzer.forecast.study_days import StudyDays
from quizzer.plan.exams import exams_ahead
from quizzer.plan.pace import Pace
from quizzer.plan.settings import Settings
from quizzer.store import Done, Store
from quizzer.values import Progress, Review

HABIT_DAYS = 14
"""So many days back tell how long the learner studies; fewer than `HABIT_LEAST` say nothing."""
HABIT_LEAST = 3


def outlooks(
    deck: Deck, store: Store, settings: Settings, day: int, pace: Pace, search: bool = True
) -> tuple[Outlook, ...]:
    """The outlook for every course of the deck with an exam ahead, the next exam first.

    With `search`, what each needs to be ready is looked for, which takes longer. Raises
    StoreError.
    """
    progress = store.progress()
    courses = exam_cards(deck, progress, settings, day)
    if not courses:
        return ()
    habits = habits_in(store, deck, day)
    lately = _minutes_lately(deck, store, day, pace)
    minutes = _minutes_for(courses, lately, settings, habits.study_days)
    done = store.done(day)
    return foretold(deck, progress, done, settings, day, pace, minutes, habits, search)


def foretold(
    deck: Deck,
    progress: Mapping[str, Progress],
    done: Done,
    settings: Settings,
    day: int,
    pace: Pace,
    minutes: float | None,
    habits: Habits,
    search: bool = True,
) -> tuple[Outlook, ...]:
    """The same at so many minutes a day of study for all courses with an exam ahead.

    Without minutes those are taken that the search finds to be enough, or all the time there is.
    """
    courses = exam_cards(deck, progress, settings, day)
    if not courses:
        return ()
    ahead = exams_ahead(settings, day)
    exams = {course: ahead[course] for course in courses}
    meant = {entry.id for entries in courses.values() for entry in entries}
    only = replace(deck, entries=[entry for entry in deck.entries if entry.id in meant])
    start = Preparation(only, exams, progress, done, pace, habits, day)
    if search:
        needs = Needs(start, settings)
        need = needs.by_course(minutes or 0.0)
        enough = max(each.minutes or 0.0 for each in need.values())
        arrived = needs.arrived(min(DAY, enough) if minutes is None else minutes)
    else:
        arrived = live_until_exams(start, settings, inf if minutes is None else minutes)
    return tuple(
        replace(
            outlook_of(
                entries,
                progress,
                settings,
                day,
                exams[course],
                habits.corrections,
                arrived.recall,
                arrived.seen,
            ),
            minutes_a_day=minutes,
            need=need[course] if search else None,
            shares=len(exams) > 1,
            study_days=habits.study_days,
        )
        for course, entries in courses.items()
    )


def _minutes_lately(deck: Deck, store: Store, day: int, pace: Pace) -> Mapping[str, float] | None:
    """Minutes a day over the last two weeks, by course; None where there is too little to say."""
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
    courses: Collection[str],
    lately: Mapping[str, float] | None,
    settings: Settings,
    study_days: StudyDays,
) -> float | None:
    """What there is a day for these courses: the limit, for they come first, or their habits.

    Those hold missed days too; the days that are not missed have as much more.
    """
    if settings.minutes_per_day is not None:
        return settings.minutes_per_day
    habits = [lately[course] for course in courses if course in lately] if lately else []
    return sum(habits) / (1 - study_days.missed) if habits else None
