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
    Strength,
    days_until,
    recall_after,
    retrievability,
    stability_either_way,
    step,
)
from quizzer.values import Rating

PROPERTY = settings(derandomize=True, deadline=None, max_examples=200)
START = datetime(2020, 1, 1, 12, tzinfo=UTC)
strengths = st.builds(Strength, st.floats(STABILITY_FLOOR, STABILITY_CEILING), st.floats(1.0, 10.0))
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
    card, at, strength = oracle.Card(card_id=1), START, None
    length = random.randint(1, 12)
    for compared in range(length):
        gap = random.choice([0, 0, 1, 2, 3, 7, 21, random.randint(0, 60), random.randint(0, 900)])
        rating = random.choice(list(Rating))
        at += timedelta(days=gap)
        card, _ = scheduler.review_card(card, oracle.Rating(rating), at)
        strength = step(strength, rating, gap, parameters)
        assert card.stability is not None
        if card.stability > STABILITY_CEILING:
            return compared
        assert strength.stability == pytest.approx(card.stability, rel=1e-9, abs=0)
        assert strength.difficulty == pytest.approx(card.difficulty, rel=1e-9, abs=0)
        ahead = at + timedelta(days=random.randint(0, 500))
        recall = retrievability(strength, (ahead - at).days, parameters)
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


def test_the_published_strength_after_six_reviews() -> None:
    strength = None
    for rating, gap in zip((1, 3, 3, 3, 3, 3), (0, 0, 1, 3, 8, 21), strict=True):
        strength = step(strength, Rating(rating), gap)
    assert strength is not None
    assert strength.stability == pytest.approx(53.62691, abs=1e-4)
    assert strength.difficulty == pytest.approx(6.3574867, abs=1e-4)


def test_the_published_intervals_of_thirteen_reviews() -> None:
    good, again = Rating.GOOD, Rating.AGAIN
    history = [good] * 6 + [again] * 2 + [good] * 5
    minutes = {0, 6, 7}  # the second learning step and the relearning steps: due the same day
    strength, gap, intervals = None, 0, []
    for index, rating in enumerate(history):
        strength = step(strength, rating, gap)
        gap = 0 if index in minutes else round(days_until(strength.stability, 0.9))
        intervals.append(gap)
    assert intervals == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21]


@PROPERTY
@given(strengths, ratings, st.integers(-10, 100_000))
def test_stability_and_difficulty_stay_within_their_bounds(
    strength: Strength, rating: Rating, elapsed: int
) -> None:
    after = step(strength, rating, elapsed)
    assert STABILITY_FLOOR <= after.stability <= STABILITY_CEILING
    assert 1 <= after.difficulty <= 10


def test_stability_has_a_ceiling_of_a_hundred_years() -> None:
    strength = Strength(STABILITY_CEILING, 1.0)
    assert step(strength, Rating.EASY, 36_500).stability == STABILITY_CEILING


def test_stability_has_a_floor() -> None:
    strength: Strength | None = None
    for _ in range(60):
        strength = step(strength, Rating.AGAIN, 0)
    assert strength is not None
    assert strength.stability == STABILITY_FLOOR


@PROPERTY
@given(strengths, ratings, st.integers(-1000, -1))
def test_negative_days_count_as_the_same_day(
    strength: Strength, rating: Rating, elapsed: int
) -> None:
    assert step(strength, rating, elapsed) == step(strength, rating, 0)
    assert retrievability(strength, elapsed) == 1.0


@PROPERTY
@given(strengths, st.integers(0, 2000))
def test_a_better_rating_never_gives_less_stability_nor_more_difficulty(
    strength: Strength, elapsed: int
) -> None:
    after = [step(strength, rating, elapsed) for rating in Rating]
    assert [s.stability for s in after] == sorted(s.stability for s in after)
    assert [s.difficulty for s in after] == sorted((s.difficulty for s in after), reverse=True)


@PROPERTY
@given(strengths, st.integers(0, 1000), st.integers(1, 1000))
def test_recall_falls_with_time(strength: Strength, days: int, more: int) -> None:
    assert retrievability(strength, days + more) < retrievability(strength, days) <= 1


@PROPERTY
@given(strengths)
def test_recall_is_nine_tenths_when_the_stability_has_passed(strength: Strength) -> None:
    assert retrievability(strength, strength.stability) == pytest.approx(0.9)


@PROPERTY
@given(strengths, st.floats(0.5, 0.999))
def test_days_until_is_when_recall_has_fallen_so_far(strength: Strength, retention: float) -> None:
    days = days_until(strength.stability, retention)
    assert retrievability(strength, days) == pytest.approx(retention)


@PROPERTY
@given(strengths, st.integers(1, 1000), st.integers(0, 99))
def test_the_shorter_way_to_both_stabilities_leads_where_the_steps_do(
    strength: Strength, elapsed: int, seed: int
) -> None:
    parameters = random_parameters(Random(seed))
    recalled = step(strength, Rating.GOOD, elapsed, parameters)
    forgotten = step(strength, Rating.AGAIN, elapsed, parameters)
    lapsed = step(forgotten, Rating.GOOD, 0, parameters)
    recall = retrievability(strength, elapsed, parameters)
    expected = (recall, recalled.stability, lapsed.stability)
    assert stability_either_way(strength, elapsed, parameters) == expected
    assert recall_after(strength.stability, elapsed, parameters) == recall
