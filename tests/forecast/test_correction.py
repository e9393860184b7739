"""Corrections of forecasts, from logs of which the truth is known."""

from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzer.forecast.correction import (
    FEWEST,
    FEWEST_OF_COURSE,
    NONE,
    UNCORRECTED,
    Correction,
    best,
    corrections_of,
)
from quizzer.forecast.outcomes import Outcome

WEIGHTS = st.floats(-3, 3)
SLIPS = Correction(shift=0.1, slips=0.15)


def outcomes(count: int, truth: Correction, course: str = "ml", seed: int = 7) -> list[Outcome]:
    """Reviews whose true chances are the foretold ones, corrected."""
    random = Random(seed)
    found = []
    for day in range(count):
        recall, elapsed = random.uniform(0.6, 0.97), random.choice((1, 2, 4, 9, 20))
        reviews, place = random.randint(1, 12), random.randint(0, 40)
        recalled = random.random() < truth.of(recall, elapsed, reviews, place)
        found.append(Outcome(course, day, recall, elapsed, reviews, place, recalled))
    return found


@pytest.mark.parametrize(
    "truth",
    [
        SLIPS,
        Correction(shift=-0.8),
        Correction(shift=0.8),
        Correction(shift=-0.3, days=-0.4),
        Correction(shift=-0.3, few=-1.2),
        Correction(many=0.5),
        Correction(days_of_few=-1.0),
        Correction(early=-1.0, late=-1.0),
    ],
    ids=str,
)
def test_a_bias_of_the_log_is_found(truth: Correction) -> None:
    found = best(outcomes(3_000, truth))
    for recall in (0.7, 0.9):
        for elapsed in (2, 10):
            for reviews in (1, 8):
                for place in (5, 30):
                    told = found.of(recall, elapsed, reviews, place)
                    true = truth.of(recall, elapsed, reviews, place)
                    assert told == pytest.approx(true, abs=0.1)


def test_a_learner_who_tires_is_foretold_more_when_rested() -> None:
    found = best(outcomes(2_000, Correction(early=-1.0, late=-1.0)))
    assert found.of(0.9, 5, 3) > found.of(0.9, 5, 3, place=20) + 0.05


@pytest.mark.parametrize("tires_from", [0, 10, 20, 30])
def test_how_late_a_learner_begins_to_tire_does_not_change_what_is_foretold_rested(
    tires_from: int,
) -> None:
    random, found = Random(3), list[Outcome]()
    rested = outcomes(3_000, Correction(shift=-0.4))
    for each in rested:
        place = random.randint(0, 60)
        tired = Correction(shift=-0.4 - max(0, place - tires_from) / 20)
        chance = tired.of(each.recall, each.elapsed, each.reviews)
        found.append(each._replace(place=place, recalled=random.random() < chance))
    told, truth = best(found), Correction(shift=-0.4)
    differences = [
        told.of(each.recall, each.elapsed, each.reviews)
        - truth.of(each.recall, each.elapsed, each.reviews)
        for each in rested
    ]
    assert fmean(differences) == pytest.approx(0, abs=0.04)


def test_hundreds_of_reviews_tire_no_more_than_one_hundred() -> None:
    tires = Correction(early=-0.3, late=-0.3)
    assert tires.of(0.9, 5, 3, place=400) == tires.of(0.9, 5, 3, place=100)
    assert tires.of(0.9, 5, 3, place=100) < tires.of(0.9, 5, 3, place=60)


def test_what_wears_off_with_the_first_reviews_does_not_lower_later_ones() -> None:
    found = best(outcomes(2_000, Correction(shift=-0.4, few=-2.0)))
    assert found.of(0.9, 5, 1) < 0.75
    assert found.of(0.9, 5, 12) > 0.85


def test_a_learner_as_foretold_is_corrected_by_next_to_nothing() -> None:
    for seed in range(10):
        found = best(outcomes(400, NONE, seed=seed))
        assert found.of(0.9, 10, 4) == pytest.approx(0.9, abs=0.04)


def test_few_reviews_correct_nothing() -> None:
    forgotten = [Outcome("ml", day, 0.9, 3, 2, 0, False) for day in range(FEWEST - 1)]
    assert corrections_of(forgotten) == UNCORRECTED


def test_reviews_on_the_day_of_the_one_before_say_nothing() -> None:
    soon = [Outcome("ml", day, 1.0, 0, 2, 0, False) for day in range(500)]
    assert corrections_of(soon) == UNCORRECTED


def test_little_evidence_is_shrunk_toward_no_correction() -> None:
    truth = Correction(shift=-1.5)
    few, many = best(outcomes(60, truth)), best(outcomes(3_000, truth))
    assert many.of(0.9, 3, 3) < few.of(0.9, 3, 3) < 0.9


def test_a_course_with_reviews_enough_is_corrected_by_its_own() -> None:
    slips = outcomes(2 * FEWEST_OF_COURSE, Correction(slips=0.25), "proofs")
    few = outcomes(FEWEST_OF_COURSE - 1, NONE, "layers")
    found = corrections_of([*slips, *few])
    assert found.by_course.keys() == {"proofs"}
    proofs = found.of_course("Proofs")
    assert proofs.correction.of(0.9, 3, 3) < found.of_course("layers").correction.of(0.9, 3, 3)
    assert proofs.came_true < found.whole.came_true < proofs.foretold
    assert found.of_course("layers") == found.whole


def test_only_the_newest_reviews_count() -> None:
    old = outcomes(3_000, Correction(slips=0.5))
    new = outcomes(3_000, NONE)
    assert corrections_of([*old, *new]) == corrections_of(new)


@given(
    weights=st.tuples(*[WEIGHTS] * 7),
    slips=st.floats(0, 0.9),
    recall=st.floats(0, 1),
    elapsed=st.integers(0, 10_000),
    reviews=st.integers(1, 10_000),
    place=st.integers(0, 1_000),
)
def test_a_corrected_chance_is_a_chance(
    weights: tuple[float, ...], slips: float, recall: float, elapsed: int, reviews: int, place: int
) -> None:
    assert 0 <= Correction(*weights, slips=slips).of(recall, elapsed, reviews, place) <= 1


@given(
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.integers(0, 400),
            st.integers(1, 400),
            st.integers(0, 400),
            st.booleans(),
        ),
        max_size=120,
    )
)
def test_any_log_gives_corrections(rows: list[tuple[float, int, int, int, bool]]) -> None:
    log = [Outcome("ml", day, *row) for day, row in enumerate(rows)]
    assert 0 <= corrections_of(log).whole.correction.of(0.9, 5, 3) <= 1
