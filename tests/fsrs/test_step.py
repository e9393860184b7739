from datetime import UTC, datetime, timedelta
from random import Random

import fsrs as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.fsrs.step import (
    DEFAULT_PARAMETERS,
    STABILITY_CEILING,
    STABILITY_FLOOR,
    MemoryState,
    days_until,
    recall_after,
    retrievability,
    stability_either_way,
    step,
)
from quizzer.values import Rating

PROPERTY = settings(derandomize=True, deadline=None, max_examples=200)
START = datetime(2020, 1, 1, 12, tzinfo=UTC)
states = st.builds(MemoryState, st.floats(STABILITY_FLOOR, STABILITY_CEILING), st.floats(1.0, 10.0))
ratings = st.sampled_from(Rating)


def random_parameters(random: Random) -> tuple[float, ...]:
    """Within a tenth of the defaults, and within the bounds that the oracle insists on."""
    bounds = zip(
        oracle.scheduler.LOWER_BOUNDS_PARAMETERS,
        oracle.scheduler.UPPER_BOUNDS_PARAMETERS,
        strict=True,
    )
    return tuple(
        min(max(value * random.uniform(0.9, 1.1), low), high)
        for value, (low, high) in zip(DEFAULT_PARAMETERS, bounds, strict=True)
    )


def compare_history(random: Random, parameters: tuple[float, ...]) -> int:
    """Drive oracle and ours over one random history; return how many reviews were compared."""
    scheduler = oracle.Scheduler(
        parameters, learning_steps=(), relearning_steps=(), enable_fuzzing=False
    )
    card, at, state = oracle.Card(card_id=1), START, None
    length = random.randint(1, 12)
    for compared in range(length):
        gap = random.choice([0, 0, 1, 2, 3, 7, 21, random.randint(0, 60), random.randint(0, 900)])
        rating = random.choice(list(Rating))
        at += timedelta(days=gap)
        card, _ = scheduler.review_card(card, oracle.Rating(rating), at)
        state = step(state, rating, gap, parameters)
        assert card.stability is not None
        if card.stability > STABILITY_CEILING:
            return compared
        assert state.stability == pytest.approx(card.stability, rel=1e-9, abs=0)
        assert state.difficulty == pytest.approx(card.difficulty, rel=1e-9, abs=0)
        ahead = at + timedelta(days=random.randint(0, 500))
        recall = retrievability(state, (ahead - at).days, parameters)
        expected = scheduler.get_card_retrievability(card, ahead)
        assert recall == pytest.approx(expected, rel=1e-9, abs=0)
    return length


def test_the_parameters_are_the_published_ones() -> None:
    assert oracle.scheduler.DEFAULT_PARAMETERS == DEFAULT_PARAMETERS


def test_thousands_of_random_histories_agree_with_py_fsrs() -> None:
    random = Random(6)
    compared = sum(compare_history(random, DEFAULT_PARAMETERS) for _ in range(3000))
    assert compared > 15_000


def test_histories_under_other_parameters_agree_with_py_fsrs() -> None:
    random = Random(7)
    compared = sum(compare_history(random, random_parameters(random)) for _ in range(1000))
    assert compared > 5_000


def test_the_published_memory_state_after_six_reviews() -> None:
    state = None
    for rating, gap in zip((1, 3, 3, 3, 3, 3), (0, 0, 1, 3, 8, 21), strict=True):
        state = step(state, Rating(rating), gap)
    assert state is not None
    assert state.stability == pytest.approx(53.62691, abs=1e-4)
    assert state.difficulty == pytest.approx(6.3574867, abs=1e-4)


def test_the_published_intervals_of_thirteen_reviews() -> None:
    good, again = Rating.GOOD, Rating.AGAIN
    history = [good] * 6 + [again] * 2 + [good] * 5
    minutes = {0, 6, 7}  # the second learning step and the relearning steps: due the same day
    state, gap, intervals = None, 0, []
    for index, rating in enumerate(history):
        state = step(state, rating, gap)
        gap = 0 if index in minutes else round(days_until(state.stability, 0.9))
        intervals.append(gap)
    assert intervals == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21]


@PROPERTY
@given(states, ratings, st.integers(-10, 100_000))
def test_stability_and_difficulty_stay_within_their_bounds(
    state: MemoryState, rating: Rating, elapsed: int
) -> None:
    after = step(state, rating, elapsed)
    assert STABILITY_FLOOR <= after.stability <= STABILITY_CEILING
    assert 1 <= after.difficulty <= 10


def test_stability_has_a_ceiling_of_a_hundred_years() -> None:
    state = MemoryState(STABILITY_CEILING, 1.0)
    assert step(state, Rating.EASY, 36_500).stability == STABILITY_CEILING


def test_stability_has_a_floor() -> None:
    state: MemoryState | None = None
    for _ in range(60):
        state = step(state, Rating.AGAIN, 0)
    assert state is not None
    assert state.stability == STABILITY_FLOOR


@PROPERTY
@given(states, ratings, st.integers(-1000, -1))
def test_negative_days_count_as_the_same_day(
    state: MemoryState, rating: Rating, elapsed: int
) -> None:
    assert step(state, rating, elapsed) == step(state, rating, 0)
    assert retrievability(state, elapsed) == 1.0


@PROPERTY
@given(states, st.integers(0, 2000))
def test_a_better_rating_never_gives_less_stability_nor_more_difficulty(
    state: MemoryState, elapsed: int
) -> None:
    after = [step(state, rating, elapsed) for rating in Rating]
    assert [s.stability for s in after] == sorted(s.stability for s in after)
    assert [s.difficulty for s in after] == sorted((s.difficulty for s in after), reverse=True)


@PROPERTY
@given(states, st.integers(0, 1000), st.integers(1, 1000))
def test_recall_falls_with_time(state: MemoryState, days: int, more: int) -> None:
    assert retrievability(state, days + more) < retrievability(state, days) <= 1


@PROPERTY
@given(states)
def test_recall_is_nine_tenths_when_the_stability_has_passed(state: MemoryState) -> None:
    assert retrievability(state, state.stability) == pytest.approx(0.9)


@PROPERTY
@given(states, st.floats(0.5, 0.999))
def test_days_until_is_when_recall_has_fallen_so_far(state: MemoryState, retention: float) -> None:
    days = days_until(state.stability, retention)
    assert retrievability(state, days) == pytest.approx(retention)


@PROPERTY
@given(states, st.integers(1, 1000), st.integers(0, 99))
def test_the_shorter_way_to_both_stabilities_leads_where_the_steps_do(
    state: MemoryState, elapsed: int, seed: int
) -> None:
    parameters = random_parameters(Random(seed))
    recalled = step(state, Rating.GOOD, elapsed, parameters)
    forgotten = step(state, Rating.AGAIN, elapsed, parameters)
    lapsed = step(forgotten, Rating.GOOD, 0, parameters)
    recall = retrievability(state, elapsed, parameters)
    expected = (recall, recalled.stability, lapsed.stability)
    assert stability_either_way(state, elapsed, parameters) == expected
    assert recall_after(state.stability, elapsed, parameters) == recall
