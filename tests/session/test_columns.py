from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.review import Memory, Progress, Rating, State, study_day
from quizzer.schedule.histories import Floats
from quizzer.schedule.scheduler import schedule
from quizzer.schedule.simulate import Habits, simulate
from quizzer.session.columns import columns, that_come
from quizzer.session.pace import Pace, within
from quizzer.session.queue import plan
from quizzer.session.settings import Course, Settings
from quizzer.store import Done

TODAY = study_day(MORNING)
ROOT = Path("/deck")
GOOD = (0.0, 0.0, 1.0, 0.0)
DAYS = 80
EXAM = Course(exam_day=TODAY + 40)
CASES = {
    "no exam": Settings(reviews_per_day=9),
    "an exam": Settings(reviews_per_day=200, courses={"ml": EXAM}),
    "an exam and few reviews a day": Settings(reviews_per_day=6, courses={"ml": EXAM}),
    "an exam and limits by hand": Settings(
        courses={"ml": replace(EXAM, new_per_day=1, reviews_per_day=4)}
    ),
    "two exams": Settings(
        reviews_per_day=12,
        new_per_day=1,
        courses={"ml": EXAM, "statistics": Course(exam_day=TODAY + 33)},
    ),
    "an exam too far to count yet": Settings(courses={"ml": Course(exam_day=TODAY + 731 + 9)}),
    "few minutes": Settings(minutes_per_day=20),
    "fewer minutes than a card takes": Settings(minutes_per_day=2),
    "an exam and few minutes": Settings(minutes_per_day=20, courses={"ml": EXAM}),
}


def entry(card: str, course: str) -> Entry:
    return Entry(ROOT / f"{card}.md", ROOT, Header(card, card, course=course), Asking.REVEAL)


def deck_of(entries: list[Entry]) -> Deck:
    return Deck((ROOT,), tuple(entries), 0, (), {}, {}, {each.id: each for each in entries})


def reviewed(days_ago: int, interval: int) -> Progress:
    at, day = MORNING - timedelta(days=days_ago), TODAY - days_ago
    return Progress(Memory(State.REVIEW, interval, 5.0, at, day, interval, 1, 0, day))


def cards() -> tuple[list[Entry], dict[str, Progress]]:
    """Two courses, known cards and new ones; no two known ones are due on the same day for the
    same interval, where only chance would say which comes first."""
    entries = [entry(f"c{n:02}", "Statistics" if n % 3 == 0 else "ML") for n in range(70)]
    progress = {each.id: reviewed(3 + n, 5 + 2 * n) for n, each in enumerate(entries[:30])}
    return entries, progress


class AlwaysRemembered:
    """Luck by which every draw is the lowest."""

    def random(self, shape: tuple[int, ...]) -> Floats:
        return np.zeros(shape)


def lived(configured: Settings, pace: Pace) -> tuple[list[int], list[int]]:
    """Reviews and new cards of each day, by the queue and the scheduler, all of them Good."""
    entries, progress = cards()
    reviews, new = [], []
    for number in range(DAYS):
        at = MORNING + timedelta(days=number)
        day = TODAY + number
        queue = plan(deck_of(entries), progress, Done(), configured, at)
        queue = within(queue, pace, configured.minutes_per_day, begun=False)
        for each in queue.fresh:
            policy = replace(configured.policy(each.header.course, day), fuzz=False)
            memory = progress.get(each.id, Progress()).memory
            progress[each.id] = Progress(schedule(each.id, memory, Rating.GOOD, at, day, policy))
        reviews.append(len(queue.today))
        new.append(len(queue.new))
    return reviews, new


def foretold(configured: Settings, pace: Pace) -> tuple[list[int], list[int]]:
    entries, progress = cards()
    deck = deck_of(entries)
    come = that_come(deck, progress)
    rng: Any = AlwaysRemembered()
    found = simulate(
        columns(deck, come, progress, Done(), pace, configured, TODAY),
        np.full((1, len(come)), 0.9),
        replace(configured.policy("", TODAY), fuzz=False),
        Habits(GOOD, GOOD, GOOD),
        TODAY,
        DAYS,
        1,
        rng,
    )
    return found.reviews[0, 0].tolist(), found.new[0, 0].tolist()


@pytest.mark.parametrize("case", CASES)
def test_where_nothing_is_forgotten_the_days_foretold_are_those_of_the_queue(case: str) -> None:
    pace = Pace({f"c{n:02}": 1.0 + n % 5 for n in range(70)}, {})
    assert foretold(CASES[case], pace) == lived(CASES[case], pace)
