"""A second memory model through the same fit: exponential forgetting, with two parameters.

After k recalls since the last lapse stability is S = w0·w1^k, and recall R = 0.9^(t/S).
"""

from math import log
from random import Random

import numpy as np
import pytest

from quizzer.fsrs.fit import fit, fitted_parameters, log_losses, recency_weights, scored
from quizzer.fsrs.histories import Floats, Histories, Reviews, pack
from quizzer.fsrs.model import FSRS_6, Model
from quizzer.fsrs.replay import replay
from quizzer.fsrs.step import Parameters

TRUTH = (3.0, 1.6)


def recalls_in_a_row(histories: Histories) -> Floats:
    """(n,) as packed: recalls on later days since the last lapse, before the review."""
    row = np.zeros(histories.count)
    before = np.empty(len(histories))
    for here in histories.repetitions:
        count = here.stop - here.start
        before[here] = row[:count]
        later = histories.elapsed[here] > 0
        row[:count] = np.where(histories.rating[here] == 1, 0, row[:count] + later)
    return before


def missed_time(histories: Histories, w: Parameters) -> Floats:
    """-log R, as packed."""
    stability = w[0] * w[1] ** recalls_in_a_row(histories)
    return np.asarray(-log(0.9) * histories.elapsed / stability)


def recall(histories: Histories, w: Parameters) -> Floats:
    return histories.in_log_order(np.exp(-missed_time(histories, w)))


def loss_and_gradient(histories: Histories, weights: Floats, w: Parameters) -> tuple[float, Floats]:
    told = weights > 0
    z, weight = missed_time(histories, w)[told], weights[told]
    recalled = histories.rating[told] > 1
    value = weight @ np.where(recalled, z, -np.log(-np.expm1(-z)))
    by_log_stability = weight * np.where(recalled, -z, z / np.expm1(z))
    in_a_row = recalls_in_a_row(histories)[told]
    gradient = [by_log_stability.sum() / w[0], by_log_stability @ in_a_row / w[1]]
    return float(value), np.array(gradient)


EXPONENTIAL = Model(
    name="exponential",
    defaults=(1.0, 2.0),
    lower=(0.1, 1.0),
    upper=(100.0, 10.0),
    spread=(5.0, 1.0),
    recall=recall,
    loss_and_gradient=loss_and_gradient,
)


@pytest.fixture(scope="module")
def studied() -> Reviews:
    """The log of a learner who forgets as TRUTH says, asked somewhat early or late."""
    random = Random(1)
    rows = []
    for card in range(300):
        day, in_a_row = random.randrange(100), 0
        rows.append((day, card, 3))
        while True:
            stability = TRUTH[0] * TRUTH[1] ** in_a_row
            elapsed = max(1, round(stability * random.uniform(0.5, 3)))
            day += elapsed
            if day >= 200:
                break
            recalled = random.random() < 0.9 ** (elapsed / stability)
            in_a_row = in_a_row + 1 if recalled else 0
            rows.append((day, card, 3 if recalled else 1))
    day_column, card_column, rating_column = np.array(sorted(rows)).T.copy()
    return Reviews(card_column, rating_column, day_column)


def test_a_model_of_two_parameters_is_fitted_and_compared_as_fsrs_is(studied: Reviews) -> None:
    found = fit(studied, model=EXPONENTIAL)
    assert found.parameters == pytest.approx(TRUTH, rel=0.15)
    assert found.adopt
    assert found.held_out is not None
    assert found.held_out.current - found.held_out.fitted == found.held_out.gain > 0


def test_its_fit_is_where_its_own_objective_is_least(studied: Reviews) -> None:
    best = np.array(fitted_parameters(studied, model=EXPONENTIAL))
    counts = scored(pack(studied))
    weights = recency_weights(counts)

    def objective(w: Floats) -> float:
        away = (w - EXPONENTIAL.defaults) / EXPONENTIAL.spread
        return float(weights @ log_losses(studied, tuple(w), EXPONENTIAL) + away @ away)

    for step in np.concatenate([np.eye(2), -np.eye(2)]) * 0.02:
        assert objective(best) < objective(best + step)


def test_who_forgets_exponentially_is_foretold_better_by_that_model(studied: Reviews) -> None:
    own = log_losses(studied, fitted_parameters(studied, model=EXPONENTIAL), EXPONENTIAL)
    other = log_losses(studied, fitted_parameters(studied))
    assert own.sum() < other.sum()


def test_parameters_in_use_are_those_of_the_model_that_is_fitted(studied: Reviews) -> None:
    found = fit(studied, current=TRUTH, model=EXPONENTIAL)
    assert found.held_out is not None
    assert not found.adopt
    places = np.flatnonzero(scored(pack(studied)))[-found.held_out.reviews :]
    expected = log_losses(studied, TRUTH, EXPONENTIAL)[places].mean()
    assert found.held_out.current == pytest.approx(expected)


def test_fsrs_foretells_what_its_replay_does(studied: Reviews) -> None:
    histories = pack(studied)
    foretold = FSRS_6.recall(histories, FSRS_6.defaults)
    np.testing.assert_array_equal(foretold, replay(histories, FSRS_6.defaults).recall)
