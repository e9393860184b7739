from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.fsrs import step as fsrs
from quizzer.fsrs.step import MemoryState
from quizzer.plan.exam_gain import (
    BUFFER,
    OnEve,
    Prospect,
    Standing,
    first_standing,
    longest_interval,
    new_per_day,
    price,
    prospect,
    recall_on,
    standing,
)
from quizzer.values import Rating

PROPERTY = settings(derandomize=True, deadline=None, max_examples=100)
states = st.builds(MemoryState, st.floats(0.05, 400), st.floats(1, 10))


def simulated(state: MemoryState, last: int, day: int, exam: int, luck: Random) -> bool:
    """Whether one learner, reviewing on `day`, knows the card at the exam."""
    if luck.random() < fsrs.retrievability(state, day - last):
        after = fsrs.step(state, Rating.GOOD, day - last)
    else:
        after = fsrs.step(state, Rating.AGAIN, day - last)
        after = fsrs.step(after, Rating.GOOD, 0)
    return luck.random() < fsrs.retrievability(after, exam - day)


@pytest.mark.parametrize(
    ("stability", "difficulty", "last", "exam"),
    [(2.0, 5.0, 0, 30), (15.0, 7.0, -20, 21), (0.5, 9.5, 4, 12), (90.0, 2.0, -30, 11)],
)
def test_the_gain_is_what_many_learners_gain_on_average(
    stability: float, difficulty: float, last: int, exam: int
) -> None:
    state, day, luck = MemoryState(stability, difficulty), 10, Random(1)
    runs = 40_000
    with_review = sum(simulated(state, last, day, exam, luck) for _ in range(runs)) / runs
    without = sum(
        luck.random() < fsrs.retrievability(state, exam - last) for _ in range(runs)
    ) / runs  # fmt: skip
    expected = prospect(state, last, day, exam).gain()
    assert expected == pytest.approx(with_review - without, abs=0.01)


@PROPERTY
@given(states, st.integers(1, 60), st.integers(1, 60))
def test_how_a_card_stands_that_is_left_alone_is_part_of_its_prospect(
    state: MemoryState, ago: int, ahead: int
) -> None:
    known = prospect(state, -ago, 0, ahead)
    assert standing(state, -ago, 0, ahead) == known.skipped
    good, again = (fsrs.step(state, rating, ago) for rating in (Rating.GOOD, Rating.AGAIN))
    lapsed = fsrs.step(again, Rating.GOOD, 0)
    chances = [recall_on(one, 0, ahead) for one in (good, lapsed)]
    assert chances == pytest.approx([known.recalled.alone, known.lapsed.alone])


@PROPERTY
@given(states, st.integers(1, 60), st.integers(2, 60))
def test_a_review_on_the_eve_counts_only_where_it_is_worth_its_price(
    state: MemoryState, ago: int, ahead: int
) -> None:
    skipped = prospect(state, -ago, 0, ahead).skipped
    assert skipped.worth(inf) == skipped.alone
    assert skipped.worth(0) == max(skipped.alone, skipped.on_eve)
    assert skipped.worth(0) >= skipped.worth(0.1) >= skipped.worth(inf)


def test_on_the_eve_there_is_nothing_to_wait_for() -> None:
    known = prospect(MemoryState(5.0, 5.0), 0, 9, 10)
    assert known.gain(0.0) == known.gain(inf) > 0


def test_a_card_that_may_as_well_wait_gains_less_where_later_reviews_are_cheap() -> None:
    weak = prospect(MemoryState(1.0, 5.0), 9, 10, 30)
    assert weak.gain(inf) > 0.1
    assert weak.gain(0.0) < weak.gain(inf) / 3


def test_the_price_is_the_gain_of_the_first_card_that_finds_no_room() -> None:
    reviews = [OnEve(Standing(0.5, 0.5 + gain / 10), 1.0, 2.0) for gain in (3, 1, 4, 2)]
    assert price(reviews, per_day=2, day=0, exam_day=3) == pytest.approx(0.2)
    assert price(reviews, per_day=2, day=0, exam_day=2) == pytest.approx(0.3)
    assert price(reviews, per_day=4, day=0, exam_day=3) == 0.0
    assert price([], per_day=0, day=0, exam_day=3) == 0.0


@PROPERTY
@given(st.integers(0, 600), st.integers(1, 200))
def test_at_the_pace_all_cards_have_been_seen_some_days_before(unseen: int, days: int) -> None:
    left, counts = unseen, []
    for day in range(days):
        if 0 < day == days - BUFFER:
            assert left == 0
        counts.append(new_per_day(left, day, days))
        left -= counts[-1]
    assert left == 0
    assert all(count >= 0 for count in counts)
    before = counts[: max(0, days - BUFFER)]
    assert before == sorted(before, reverse=True)


def test_what_is_still_unseen_shortly_before_comes_on_the_two_days_that_are_left() -> None:
    assert new_per_day(10, day=5, exam_day=10) == 5
    assert new_per_day(5, day=6, exam_day=10) == 5
    assert [new_per_day(9, day, 10) for day in (7, 8, 9)] == [3, 5, 9]


@PROPERTY
@given(st.integers(0, 400))
def test_the_longest_interval_ends_on_the_eve_and_never_after_the_exam(ahead: int) -> None:
    exam = ahead + 1
    assert longest_interval(0, exam) == max(1, exam - 1) <= exam


def test_a_card_never_seen_is_not_known_and_a_first_look_is_worth_most() -> None:
    assert recall_on(None, 0, 30) == 0.0
    new = first_standing(0, 30)
    seen = Prospect(Standing(0, 0), 1.0, new, new).gain()
    assert seen == new.alone > prospect(MemoryState(2.0, 5.0), -5, 0, 30).gain()
