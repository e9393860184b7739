from dataclasses import replace

import numpy as np
import pytest
from forgetting import FORGETFUL, reviews_of_learner

from quizzer.fsrs.fit import (
    Comparison,
    Fit,
    fit,
    fitted_parameters,
    held_out,
    log_losses,
    recency_weights,
    scored,
)
from quizzer.fsrs.histories import Floats, Histories, Reviews, pack
from quizzer.fsrs.lbfgs import minimise
from quizzer.fsrs.limits import LOWER, SPREAD, UPPER, usable
from quizzer.fsrs.loss import loss_and_gradient
from quizzer.fsrs.step import DEFAULT_PARAMETERS


def random_log(rng: np.random.Generator, reviews: int = 1500) -> Reviews:
    """Every kind of review, many of them lapses and repetitions on one day."""
    return Reviews(
        rng.integers(0, 150, reviews),
        rng.choice([1, 2, 3, 4], reviews, p=[0.25, 0.2, 0.35, 0.2]),
        739_000 + np.cumsum(rng.choice([0, 0, 0, 1], reviews)),
    )


def random_parameters(rng: np.random.Generator) -> Floats:
    near = DEFAULT_PARAMETERS + np.array(SPREAD) * rng.uniform(-0.5, 0.5, 21)
    inside = np.array(LOWER) + 0.01, np.array(UPPER) - 0.01
    return np.clip(near, *inside)


def slope(histories: Histories, weights: Floats, at: Floats, number: int) -> float:
    """By differences over four places, exact to the fourth power of their distance."""
    reach = 1e-4 * at[number]

    def value(steps: int) -> float:
        beside = at.copy()
        beside[number] += steps * reach
        return loss_and_gradient(histories, weights, beside.tolist())[0]

    return (value(-2) - 8 * value(-1) + 8 * value(1) - value(2)) / (12 * reach)


@pytest.mark.parametrize("seed", range(6))
def test_the_backward_pass_agrees_with_finite_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    histories = pack(random_log(rng))
    weights = np.where(histories.elapsed > 0, rng.uniform(0.25, 1, len(histories)), 0)
    at = random_parameters(rng)
    value, gradient = loss_and_gradient(histories, weights, at.tolist())
    expected = np.array([slope(histories, weights, at, number) for number in range(21)])
    assert np.abs(gradient).min() > 1e-3
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-7 * value)


def test_what_the_bounds_of_stability_cut_off_has_no_slope() -> None:
    """Forgotten eighty times on one day, and recalled after a lifetime, again and again."""
    history = np.repeat([0, 1], [81, 8])
    rating = np.concatenate([np.full(80, 1), [3], np.full(8, 4)])
    day = np.concatenate([np.full(80, 5), [6], 5 + 36_500 * np.arange(8)])
    histories = pack(Reviews(history, rating, day))
    weights = (histories.elapsed > 0).astype(float)
    at = np.array([*DEFAULT_PARAMETERS[:19], 0.01, *DEFAULT_PARAMETERS[20:]])
    value, gradient = loss_and_gradient(histories, weights, at.tolist())
    expected = np.array([slope(histories, weights, at, number) for number in range(21)])
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-7 * value)


def test_the_loss_is_the_cross_entropy_of_what_was_remembered() -> None:
    log = random_log(np.random.default_rng(1))
    histories = pack(log)
    weights = (histories.elapsed > 0).astype(float)
    value, _ = loss_and_gradient(histories, weights, DEFAULT_PARAMETERS)
    assert value == pytest.approx(log_losses(log, DEFAULT_PARAMETERS).sum(), rel=1e-9)


def test_only_reviews_on_a_later_day_are_scored() -> None:
    log = Reviews(np.array([0, 0, 1, 0]), np.array([3, 3, 1, 1]), np.array([5, 5, 6, 7]))
    assert scored(pack(log)).tolist() == [False, False, False, True]
    assert (log_losses(log, DEFAULT_PARAMETERS) > 0).tolist() == [False, False, False, True]


def test_the_newest_scored_review_weighs_four_times_the_oldest() -> None:
    weights = recency_weights(np.array([True, False, True, True]))
    assert weights.tolist() == [0.25, 0, 0.25 + 0.75 / 8, 1]


def test_the_minimiser_finds_the_end_of_a_bent_valley() -> None:
    def rosenbrock(x: Floats) -> tuple[float, Floats]:
        ahead = x[1:] - x[:-1] ** 2
        gradient = np.zeros_like(x)
        gradient[1:] = 200 * ahead
        gradient[:-1] -= 400 * ahead * x[:-1] + 2 * (1 - x[:-1])
        return float((100 * ahead**2 + (1 - x[:-1]) ** 2).sum()), gradient

    box = np.full(4, 5.0)
    found = minimise(rosenbrock, np.full(4, -1.0), -box, box, iterations=500, tolerance=1e-12)
    assert found.point == pytest.approx(np.ones(4), abs=1e-4)


def test_the_minimiser_stays_within_bounds_and_leaves_one_it_started_at() -> None:
    target = np.array([3.0, 0.5, -2.0])

    def bowl(x: Floats) -> tuple[float, Floats]:
        away = x - target
        twist = np.array([[2, 1, 0], [1, 3, 1], [0, 1, 4]]) @ away
        return float(away @ twist), 2 * twist

    zeros, ones = np.zeros(3), np.ones(3)
    for start in (zeros, ones, np.array([1.0, 0.9, 0.0])):
        found = minimise(bowl, start, zeros, ones, tolerance=1e-12)
        assert found.point == pytest.approx(np.array([1, 0.5, 0]), abs=1e-6)
        assert found.value == pytest.approx(24)
        assert found.gain == pytest.approx(bowl(start)[0] - 24)
        assert found.evaluations < 20


def test_a_learner_who_forgets_faster_gets_parameters_of_his_own() -> None:
    log = reviews_of_learner(FORGETFUL, cards=120, days=160)
    found = fit(log)
    assert found.adopt
    assert found.held_out is not None
    assert found.parameters is not None
    assert usable(found.parameters)
    truth = log_losses(log, FORGETFUL).sum()
    assert log_losses(log, found.parameters).sum() < truth * 1.01
    assert log_losses(log, DEFAULT_PARAMETERS).sum() > truth * 1.05


def test_a_short_log_keeps_the_parameters_in_use() -> None:
    found = fit(reviews_of_learner(FORGETFUL, cards=10, days=60))
    assert found.scored < 240
    assert (found.adopt, found.parameters, found.held_out) == (False, None, None)


def test_without_reviews_nothing_is_fitted() -> None:
    none = np.zeros(0, np.int64)
    assert fit(Reviews(none, none, none)) == Fit(0, 0, 0)


def test_the_average_learner_keeps_the_defaults() -> None:
    found = fit(reviews_of_learner(DEFAULT_PARAMETERS, cards=60, days=200))
    assert found.held_out is not None
    assert not found.adopt


def test_a_gain_within_chance_does_not_count() -> None:
    assert Comparison(1000, current=0.4, fitted=0.39, error=0.004).improves
    assert not Comparison(1000, current=0.4, fitted=0.399, error=0.004).improves
    assert not Comparison(1000, current=0.4, fitted=0.41, error=0.004).improves


def test_what_a_part_of_the_log_foretells_does_not_know_what_came_after() -> None:
    log = reviews_of_learner(FORGETFUL, cards=60, days=120)
    places = np.flatnonzero(scored(pack(log)))
    cuts = np.linspace(len(places) // 3, len(places), 3).astype(int).tolist()
    losses, _ = held_out(log, places, cuts)
    other = log.rating.copy()
    other[places[cuts[1]] :] = 1
    changed, _ = held_out(replace(log, rating=other), places, cuts)
    known = cuts[1] - cuts[0]
    np.testing.assert_array_equal(losses[:known], changed[:known])
    assert (losses[known:] != changed[known:]).any()


def test_parameters_just_fitted_are_judged_by_later_reviews_only() -> None:
    log = reviews_of_learner(FORGETFUL, cards=120, days=160)
    middle, end = int(log.day[len(log) // 2]), int(log.day[-1])
    again = fit(log, FORGETFUL, current_day=middle)
    assert again.unseen == (scored(pack(log)) & (log.day > middle)).sum()
    assert again.held_out is not None
    assert again.held_out.reviews == again.unseen
    at_once = fit(log, FORGETFUL, current_day=end)
    assert (at_once.unseen, at_once.adopt, at_once.held_out) == (0, False, None)


def test_a_large_log_is_fitted_as_well_by_way_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    log = reviews_of_learner(FORGETFUL, cards=120, days=160)
    whole = log_losses(log, fitted_parameters(log)).sum()
    monkeypatch.setattr("quizzer.fsrs.fit.SAMPLE", len(log) // 5)
    assert log_losses(log, fitted_parameters(log)).sum() == pytest.approx(whole, rel=1e-3)
