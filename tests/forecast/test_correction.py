"""Corrections of forecasts, from logs of which the truth is known."""

from random import Random

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


def outcomes(count: int, truth: Correction, course: str = "ml", seed: int = 7) -> list[Outcome]:
    """Reviews whose true chances are the foretold ones, corrected."""
    random = Random(seed)
    found = []
    for day in range(count):
        recall, elapsed = random.uniform(0.6, 0.97), random.choice((1, 2, 4, 9, 20))
        recalled = random.random() < truth.of(recall, elapsed)
        found.append(Outcome(course, day, recall, elapsed, recalled))
    return found


@pytest.mark.parametrize(
    "truth",
    [
        Correction(ceiling=-0.13),
        Correction(ceiling=-0.05, fade=0.1),
        Correction(shift=-0.8),
        Correction(shift=0.8),
    ],
)
def test_a_bias_of_the_log_is_found(truth: Correction) -> None:
    found = best(outcomes(3_000, truth))
    for recall in (0.7, 0.9):
        for elapsed in (2, 10):
            assert found.of(recall, elapsed) == pytest.approx(truth.of(recall, elapsed), abs=0.035)


def test_a_learner_as_foretold_is_corrected_by_next_to_nothing() -> None:
    for seed in range(10):
        found = best(outcomes(400, NONE, seed=seed))
        assert found.of(0.9, 10) == pytest.approx(0.9, abs=0.03)


def test_few_reviews_correct_nothing() -> None:
    forgotten = [Outcome("ml", day, 0.9, 3, False) for day in range(FEWEST - 1)]
    assert corrections_of(forgotten) == UNCORRECTED


def test_reviews_on_the_day_of_the_one_before_say_nothing() -> None:
    assert corrections_of([Outcome("ml", day, 1.0, 0, False) for day in range(500)]) == UNCORRECTED


def test_little_evidence_is_shrunk_toward_no_correction() -> None:
    truth = Correction(ceiling=-0.3)
    few, many = best(outcomes(60, truth)), best(outcomes(3_000, truth))
    assert truth.of(0.9, 3) - 0.01 < many.of(0.9, 3) < few.of(0.9, 3) + 0.01 < 0.91


def test_a_course_with_reviews_enough_is_corrected_by_its_own() -> None:
    slips = outcomes(2 * FEWEST_OF_COURSE, Correction(ceiling=-0.25), "proofs")
    few = outcomes(FEWEST_OF_COURSE - 1, NONE, "layers")
    found = corrections_of([*slips, *few])
    assert found.by_course.keys() == {"proofs"}
    proofs = found.of_course("Proofs")
    assert proofs.correction.of(0.9, 3) < found.of_course("layers").correction.of(0.9, 3)
    assert proofs.came_true < found.whole.came_true < proofs.foretold
    assert found.of_course("layers") == found.whole


def test_only_the_newest_reviews_count() -> None:
    old = outcomes(3_000, Correction(ceiling=-0.5))
    new = outcomes(3_000, NONE)
    assert corrections_of([*old, *new]) == corrections_of(new)


@given(
    shift=WEIGHTS,
    ceiling=st.floats(-3, 0),
    fade=st.floats(0, 3),
    recall=st.floats(0, 1),
    elapsed=st.integers(0, 10_000),
)
def test_a_corrected_chance_is_a_chance(
    shift: float, ceiling: float, fade: float, recall: float, elapsed: int
) -> None:
    assert 0 <= Correction(shift, ceiling, fade).of(recall, elapsed) <= 1


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 400), st.booleans()), max_size=120))
def test_any_log_gives_corrections(rows: list[tuple[float, int, bool]]) -> None:
    log = [Outcome("ml", day, *row) for day, row in enumerate(rows)]
    assert 0 <= corrections_of(log).whole.correction.of(0.9, 5) <= 1
