from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast.columns import columns, that_come
from quizzer.forecast.simulate import Habits, simulate
from quizzer.fsrs.histories import Floats
from quizzer.fsrs.scheduler import schedule
from quizzer.plan.pace import Pace, minutes_left, within
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Memory, Progress, Rating, State, study_day

PROPERTY = settings(derandomize=True, deadline=None, max_examples=150)
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
    return told_of(*cards(), Done(), configured, pace, DAYS)


def told_of(
    entries: list[Entry],
    progress: dict[str, Progress],
    done: Done,
    configured: Settings,
    pace: Pace,
    days: int,
) -> tuple[list[int], list[int]]:
    """Reviews and new cards of each day, where all that comes is Good."""
    deck = deck_of(entries)
    come = that_come(deck, progress)
    rng: Any = AlwaysRemembered()
    found = simulate(
        columns(deck, come, progress, done, pace, configured, TODAY),
        np.full((1, len(come)), 0.9),
        replace(configured.policy("", TODAY), fuzz=False),
        Habits(GOOD, GOOD, GOOD),
        TODAY,
        days,
        1,
        rng,
    )
    return found.reviews[0, 0].tolist(), found.new[0, 0].tolist()


@pytest.mark.parametrize("case", CASES)
def test_where_nothing_is_forgotten_the_days_foretold_are_those_of_the_queue(case: str) -> None:
    pace = Pace({f"c{n:02}": 1.0 + n % 5 for n in range(70)}, {})
    assert foretold(CASES[case], pace) == lived(CASES[case], pace)


CARDS = [f"c{n:02}" for n in range(16)]
"""Of the first eight something is known, in some examples."""
GONE = ["x", "y", "z"]
known_before = st.dictionaries(
    st.sampled_from(CARDS[:8]),
    # Days until it is due, and whether it is buried.
    st.tuples(st.integers(-9, 9), st.booleans()),
)
met_today = st.sets(st.sampled_from([*CARDS, *GONE]))


@PROPERTY
@given(
    known_before,
    st.lists(st.integers(1, 9), min_size=16, max_size=16),
    st.tuples(met_today, met_today),
    st.none() | st.integers(1, 40),
    st.integers(0, 1500),
    st.sampled_from([2, 5, 200]),
    st.sampled_from([None, 1, 2, 3, 5, 12, 20, 25]),
)
def test_what_is_left_of_today_is_what_the_queue_leaves_of_it(
    known: dict[str, tuple[int, bool]],
    minutes: list[int],
    met: tuple[set[str], set[str]],
    minutes_per_day: int | None,
    seconds: int,
    limit: int,
    exam_in: int | None,
) -> None:
    """Two courses, cards met and reviewed today, since deleted some, and minutes spent on them."""
    entries = [entry(card, "Statistics" if n % 3 == 0 else "ML") for n, card in enumerate(CARDS)]
    progress = {
        card: replace(reviewed(interval - left, interval), buried_on=TODAY if buried else None)
        # Each another interval: of cards due on one day only chance would say which comes first.
        for card, (left, buried) in known.items()
        for interval in [10 + CARDS.index(card)]
    }
    new, reviews = met
    progress |= {card: reviewed(0, 7) for card in new | reviews if card in CARDS}
    done = Done(new=frozenset(new), reviews=frozenset(reviews - new), seconds=seconds)
    exam_day = None if exam_in is None else TODAY + exam_in
    configured = Settings(
        reviews_per_day=limit,
        new_per_day=limit,
        minutes_per_day=minutes_per_day,
        courses={"ml": Course(exam_day=exam_day)},
    )
    pace = Pace(dict(zip(CARDS, map(float, minutes), strict=True)), {})
    queue = plan(deck_of(entries), progress, done, configured, MORNING)
    begun = bool(done.new or done.reviews)
    queue = within(queue, pace, minutes_left(configured, done), begun)
    found = told_of(entries, progress, done, configured, pace, 1)
    assert found == ([len(queue.today)], [len(queue.new)])
