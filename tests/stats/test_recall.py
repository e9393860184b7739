from datetime import timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from samples import MORNING

from quizzer.stats.recall import recall
from quizzer.values import Event, Rating, Review, State, study_day

TODAY = study_day(MORNING)


def event(number: int, days_ago: int, rating: Rating = Rating.GOOD) -> Event:
    at = MORNING - timedelta(days=days_ago)
    fact = Review("a", rating, 3, State.REVIEW if number else State.NEW)
    return Event(f"e{number}", "d", number, at, TODAY - days_ago, fact)


def test_recall_falls_between_reviews_and_is_whole_again_after_each() -> None:
    found = recall([event(0, 10), event(1, 5)], (), TODAY, points=11)
    assert found
    values = found.values
    assert values[0] == values[5] == 1.0
    assert all(later < earlier for earlier, later in pairwise(values[:5]))
    assert [place for place, _ in found.reviews] == [0, 5]


def test_a_second_review_slows_forgetting() -> None:
    found = recall([event(0, 10), event(1, 5)], (), TODAY, points=11)
    assert found
    assert found.values[9] > found.values[4]


def test_undone_reviews_leave_no_trace() -> None:
    kept = recall([event(0, 10)], (), TODAY, points=11)
    assert kept == recall([event(0, 10), event(1, 5)], {"e1"}, TODAY, points=11)


def test_where_the_clock_went_back_no_time_has_passed() -> None:
    found = recall([event(0, 5), event(1, 10), event(2, 1)], (), TODAY, points=6)
    assert found
    assert (found.first_day, found.last_day) == (TODAY - 5, TODAY)
    assert found.values[0] == found.values[4] == 1.0
    assert all(later < earlier for earlier, later in pairwise(found.values[:4]))
    assert [place for place, _ in found.reviews] == [0, 0, 4]


@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from(Rating)), min_size=1, max_size=8))
def test_from_its_first_review_on_a_card_is_recalled_with_some_chance(
    made: list[tuple[int, Rating]],
) -> None:
    events = [event(number, ago, rating) for number, (ago, rating) in enumerate(made)]
    found = recall(events, (), TODAY, points=60)
    assert found
    assert all(0 < value <= 1 for value in found.values)
    assert len(found.reviews) == len(made)


def test_a_card_without_reviews_has_no_curve() -> None:
    assert recall([], (), TODAY, points=11) is None
