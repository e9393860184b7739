from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast.ahead import DAYS, RETENTIONS, USUAL, Ahead, habits_of, look_ahead
from quizzer.plan.pace import Pace
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Memory, Progress, Rating, Review, State, study_day

TODAY = study_day(MORNING)
FEW = settings(derandomize=True, deadline=None, max_examples=15)


def entry(card: str, course: str = "ML", status: str = "to_learn") -> Entry:
    root = Path("/deck")
    header = Header(card, card, course=course, status=status)
    return Entry(root / f"{card}.md", root, header, Asking.REVEAL)


def deck_of(*entries: Entry) -> Deck:
    root = Path("/deck")
    return Deck((root,), entries, 0, (), {}, {}, {each.id: each for each in entries})


def reviewed(days_ago: int, interval: int, state: State = State.REVIEW) -> Progress:
    at = MORNING - timedelta(days=days_ago)
    day = TODAY - days_ago
    return Progress(Memory(state, max(1.0, interval), 5.0, at, day, interval, 1, 0, day))


def ahead_of(
    entries: Iterable[Entry],
    progress: Mapping[str, Progress] | None = None,
    configured: Settings | None = None,
    done: Done | None = None,
    pace: Pace | None = None,
) -> Ahead:
    return look_ahead(
        deck_of(*entries),
        progress or {},
        done or Done(),
        USUAL,
        pace or Pace({}, {}),
        configured or Settings(),
        TODAY,
        np.random.default_rng(3),
    )


def new_by_day(ahead: Ahead, days: int) -> list[float]:
    return [day.new for day in ahead.days[:days]]


@FEW
@given(
    st.dictionaries(
        st.sampled_from("abcdefghijkl"), st.tuples(st.integers(1, 30), st.integers(0, 30))
    ),
    st.integers(0, 4),
    st.integers(0, 4),
    st.sets(st.sampled_from("abcdefghijkl")),
    st.sets(st.sampled_from("abcdefghijkl")),
    st.none() | st.integers(1, 60),
    st.booleans(),
)
def test_todays_cards_are_those_of_the_queue(
    known: dict[str, tuple[int, int]],
    reviews_per_day: int,
    new_per_day: int,
    suspended: set[str],
    spent: set[str],
    exam_in: int | None,
    by_hand: bool,
) -> None:
    """Cards of two courses, both with an exam, one of which may have limits of its own."""
    courses = {card: "Statistics" if card < "e" else "ML" for card in "abcdefghijkl"}
    entries = [entry(card, course) for card, course in courses.items()]
    progress = {
        card: reviewed(ago, interval, State.REVIEW if interval else State.LEARNING)
        for card, (ago, interval) in known.items()
    }
    for card in suspended:
        progress[card] = replace(progress.get(card, Progress()), suspended=True)
    exam_day = None if exam_in is None else TODAY + exam_in
    own = Course(exam_day=exam_day)
    if by_hand:
        own = replace(own, new_per_day=2, reviews_per_day=3)
    configured = Settings(
        new_per_day=new_per_day,
        reviews_per_day=reviews_per_day,
        courses={"statistics": own, "ml": Course(exam_day=exam_day)},
    )
    done = Done(new=frozenset(spent), reviews=frozenset(spent))
    queue = plan(deck_of(*entries), progress, done, configured, MORNING)
    today = ahead_of(entries, progress, configured, done).days[0]
    assert today.new == len(queue.new)
    assert today.reviews == len(queue.today) + len(queue.steps)


def test_what_was_done_of_cards_since_deleted_counts_against_the_limits_of_all() -> None:
    entries = [entry(f"c{n}") for n in range(20)]
    progress = {each.id: reviewed(9, 9) for each in entries[:10]}
    configured = Settings(reviews_per_day=4, new_per_day=5)
    done = Done(new=frozenset("xyz"), reviews=frozenset("vw"))
    queue = plan(deck_of(*entries), progress, done, configured, MORNING)
    assert (len(queue.today), len(queue.new)) == (2, 2)
    today = ahead_of(entries, progress, configured, done).days[0]
    assert (today.reviews, today.new) == (2, 2)


def test_new_cards_for_an_exam_leave_the_limit_to_other_courses() -> None:
    """Today as on the days after: one of its two was met today, and one of the others."""
    entries = [entry(card, "exam") for card in "abcd"] + [entry(card) for card in "efghi"]
    progress = {"a": reviewed(0, 30), "e": reviewed(0, 30)}
    configured = Settings(new_per_day=2, courses={"exam": Course(exam_day=TODAY + 8)})
    done = Done(new=frozenset("ae"))
    queue = plan(deck_of(*entries), progress, done, configured, MORNING)
    assert [each.id for each in queue.new] == ["b", "f"]
    assert new_by_day(ahead_of(entries, progress, configured, done), 4) == [2, 1 + 2, 1 + 1, 0]


def test_buried_cards_wait_a_day_and_suspended_or_mastered_ones_never_come() -> None:
    entries = [entry(card) for card in "abcd"] + [entry("e", status="mastered")]
    progress = {
        "a": replace(reviewed(9, 9), buried_on=TODAY),
        "b": replace(reviewed(9, 9), suspended=True),
        "c": Progress(buried_on=TODAY),
        "d": Progress(suspended=True),
    }
    ahead = ahead_of(entries, progress)
    assert ahead.days[0].reviews == ahead.days[0].new == 0
    assert (ahead.days[1].reviews, ahead.days[1].new) == (1, 1)
    assert ahead.present.met == 2


def test_new_cards_come_by_the_daily_limit_until_there_are_no_more() -> None:
    ahead = ahead_of([entry(f"c{n}") for n in range(7)], configured=Settings(new_per_day=3))
    assert new_by_day(ahead, 4) == [3, 3, 1, 0]
    assert len(ahead.days) == DAYS
    assert [day.day for day in ahead.days[:2]] == [TODAY, TODAY + 1]


def test_minutes_are_those_of_the_learners_pace() -> None:
    slow, quick = (
        ahead_of([entry("a")], pace=Pace({"a": minutes}, {})).present for minutes in (10.0, 1.0)
    )
    assert slow.minutes == pytest.approx(10 * quick.minutes)
    assert slow.minutes >= 10 * (slow.reviews + 1)


def test_settings_are_compared_and_the_present_one_is_among_them() -> None:
    cards = [entry(f"c{n}") for n in range(40)]
    progress = {each.id: reviewed(number, 40) for number, each in enumerate(cards)}
    ahead = ahead_of(cards, progress, Settings(desired_retention=0.87))
    found = [workload.retention for workload in ahead.workloads]
    assert found == sorted({*RETENTIONS, 0.87})
    assert ahead.present.retention == 0.87
    assert ahead.present in ahead.workloads
    assert sorted(found, key=lambda one: ahead.workloads[found.index(one)].reviews) == found
    assert ahead.workloads[0].remembered < ahead.workloads[-1].remembered


def test_a_course_keeps_its_own_desired_retention() -> None:
    cards = [entry(f"c{n}") for n in range(60)]
    progress = {each.id: reviewed(number, 60) for number, each in enumerate(cards)}
    own = Settings(courses={"ml": Course(desired_retention=0.9)})
    low, *_, high = ahead_of(cards, progress, own).workloads
    assert low.reviews == pytest.approx(high.reviews, rel=0.1)
    low, *_, high = ahead_of(cards, progress).workloads
    assert 2 * low.reviews < high.reviews


def test_a_deck_without_cards_has_nothing_ahead() -> None:
    ahead = ahead_of([])
    assert ahead.present.met == 0
    assert not any(day.reviews or day.new or day.minutes for day in ahead.days)


def review(state: State, rating: Rating, seconds: float | None = None) -> Review:
    return Review("a", rating, 1, state, seconds=seconds)


def test_without_reviews_the_learner_rates_as_people_do() -> None:
    habits = habits_of([])
    assert habits.first == pytest.approx(USUAL.first)
    assert habits.step == pytest.approx(USUAL.step)
    assert habits.recalled == pytest.approx(USUAL.recalled)
    assert habits.step_share == 1


def test_the_more_he_reviewed_the_more_his_own_habits_count() -> None:
    few, many = (
        habits_of(
            [review(State.NEW, Rating.EASY)] * count
            + [review(State.RELEARNING, Rating.HARD)] * count
            + [review(State.REVIEW, Rating.HARD)] * count
        )
        for count in (50, 5000)
    )
    assert few.first[3] == pytest.approx((USUAL.first[3] + 1) / 2)
    assert min(many.first[3], many.step[1], many.recalled[1]) > 0.98
    for habits in (few, many):
        for shares in (habits.first, habits.step, habits.recalled):
            assert sum(shares) == pytest.approx(1)


def test_forgetting_a_learned_card_is_no_habit() -> None:
    forgetful = [review(State.REVIEW, Rating.AGAIN)] * 500
    assert habits_of(forgetful).recalled == pytest.approx(USUAL.recalled)


def test_repetitions_in_a_step_take_what_they_took() -> None:
    timed = [review(State.REVIEW, Rating.GOOD, 100.0)] * 9
    steps = [review(State.LEARNING, Rating.GOOD, 30.0)] * 9
    assert habits_of(timed + steps).step_share == pytest.approx(0.3)
    assert habits_of(timed + steps[:4]).step_share == 1
