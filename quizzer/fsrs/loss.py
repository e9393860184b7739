"""How well FSRS-6 foretells what was remembered, and which way each parameter would better it.

The loss is the binary cross-entropy of recall, Σ c·(-log R or -log(1-R)). Its gradient is the
backward pass of `replay.walk`, by hand: with ℓ = log S and D the state, λ = ∂loss/∂ℓ' and
δ = ∂loss/∂D' after a review, the state before it gets

    ∂loss/∂ℓ = λ·∂ℓ'/∂ℓ + (c-term + λ·∂ℓ'/∂r)·∂r/∂ℓ        with r = log R
    ∂loss/∂D = λ·∂ℓ'/∂D + δ·∂D'/∂D

Only these products go through time; the local derivatives, and the sums that give the gradient
of the parameters from all λ and δ, are made for all reviews at once.
"""

from math import exp, log

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from quizzer.fsrs.histories import Floats, Histories, Ints
from quizzer.fsrs.replay import (
    LOG_CEILING,
    LOG_FLOOR,
    Trace,
    difficulty_tables,
    log_forgotten,
    same_day_growth,
    walk,
)
from quizzer.fsrs.step import Parameters


class _Local(Struct, frozen=True):
    """Derivatives of one review's ℓ' at each place, and the adjoint of r from the loss."""

    by_log: Floats
    """∂ℓ'/∂ℓ with r held."""
    by_difficulty: Floats
    by_log_recall: Floats
    """∂ℓ'/∂r."""
    recall_by_log: Floats
    """∂r/∂ℓ."""
    scored: Floats
    """∂loss/∂r."""


class _Adjoints(Struct, frozen=True):
    log_s: Floats
    difficulty: Floats


def loss_and_gradient(
    histories: Histories, weights: Floats, parameters: Parameters
) -> tuple[float, Floats]:
    """The summed loss and its (21,) gradient.

    `weights` are those of the reviews as packed; 0 where elapsed days are 0.
    """
    trace = walk(histories, parameters)
    loss, scored = _cross_entropy(histories, weights, trace, parameters)
    local = _derivatives(histories, trace, scored, parameters)
    adjoints = _through_time(histories, trace, local, parameters)
    gradient = np.zeros(21)
    _first_reviews(gradient, histories, adjoints, parameters)
    _difficulty(gradient, histories, trace, adjoints, parameters)
    _recalled(gradient, histories, trace, adjoints, parameters)
    _forgotten(gradient, histories, trace, adjoints, parameters)
    _same_day(gradient, histories, trace, adjoints, parameters)
    _decay(gradient, trace, local, adjoints, parameters)
    return loss, gradient


def _cross_entropy(
    histories: Histories, weights: Floats, trace: Trace, w: Parameters
) -> tuple[float, Floats]:
    """The loss, and its derivative with respect to r = log R at each review."""
    scored = -weights
    loss = w[20] * _dot(weights, np.log1p(trace.lateness))
    missed = histories.forgotten
    weight, forgetting = weights[missed], trace.forgetting[missed]
    loss -= _dot(weight, np.log(forgetting) - np.log1p(-forgetting))
    scored[missed] = weight * (1 - forgetting) / forgetting
    return loss, scored


def _derivatives(histories: Histories, trace: Trace, scored: Floats, w: Parameters) -> _Local:
    """As after a recall everywhere, then amended where a review was something else."""
    recall = 1 - trace.forgetting
    grown = trace.lift / (1 + trace.lift * trace.surprise)
    share = grown * trace.surprise
    by_log = 1 - w[9] * share
    by_difficulty = -share / (11 - trace.difficulty_before)
    by_log_recall = -w[10] * grown * (trace.surprise + 1) * recall

    again = histories.forgotten
    log_s, difficulty = trace.log_before[again], trace.difficulty_before[again]
    capped = _capped(trace, again, w)
    by_log[again] = np.where(capped, 1, w[13] * _power_by_exponent(log_s, w)[0])
    by_difficulty[again] = np.where(capped, 0, -w[12] / difficulty)
    by_log_recall[again] = np.where(capped, 0, -w[14] * recall[again])

    soon = histories.same_day
    by_log[soon] = 1 - w[19] * _free(histories, trace, soon, w)
    by_difficulty[soon] = 0
    by_log_recall[soon] = 0
    recall_by_log = w[20] * trace.lateness / (1 + trace.lateness)
    return _Local(by_log, by_difficulty, by_log_recall, recall_by_log, scored)


def _through_time(histories: Histories, trace: Trace, local: _Local, w: Parameters) -> _Adjoints:
    """λ and δ of every review, the last repetition first; a bound that was hit lets nothing by."""
    inner_s = (trace.log_after > LOG_FLOOR) & (trace.log_after < LOG_CEILING)
    inner_d = (trace.difficulty_after > 1) & (trace.difficulty_after < 10)
    slope = difficulty_tables(w)[0][histories.rating]
    from_loss = local.scored * local.recall_by_log
    through = local.by_log + local.by_log_recall * local.recall_by_log
    adjoints = _Adjoints(np.zeros(len(histories)), np.zeros(len(histories)))
    by_log, by_difficulty = np.zeros(histories.count), np.zeros(histories.count)
    for here in reversed(histories.repetitions):
        count = here.stop - here.start
        at_s = adjoints.log_s[here] = by_log[:count] * inner_s[here]
        at_d = adjoints.difficulty[here] = by_difficulty[:count] * inner_d[here]
        by_log[:count] = from_loss[here] + through[here] * at_s
        by_difficulty[:count] = local.by_difficulty[here] * at_s + slope[here] * at_d
    return adjoints


def _first_reviews(
    gradient: Floats, histories: Histories, adjoints: _Adjoints, w: Parameters
) -> None:
    first = histories.repetitions[0] if histories.count else slice(0)
    grade = histories.rating[first] - 1
    gradient[:4] = np.bincount(grade, adjoints.log_s[first], 4) / np.array(w[:4])
    by_grade = np.bincount(grade, adjoints.difficulty[first], 4)
    gradient[4] += by_grade.sum()
    gradient[5] -= sum(number * exp(w[5] * number) * by_grade[number] for number in range(4))


def _difficulty(
    gradient: Floats, histories: Histories, trace: Trace, adjoints: _Adjoints, w: Parameters
) -> None:
    later = slice(histories.count, None)
    adjoint, before = adjoints.difficulty[later], trace.difficulty_before[later]
    damping = (histories.rating[later] - 3) * (10 - before) / 9
    total = float(adjoint.sum())
    damped = _dot(adjoint, damping)
    easiest = w[4] - exp(w[5] * 3) + 1
    gradient[4] += w[7] * total
    gradient[5] -= w[7] * 3 * exp(w[5] * 3) * total
    gradient[6] -= (1 - w[7]) * damped
    gradient[7] += easiest * total - _dot(adjoint, before) + w[6] * damped


def _recalled(
    gradient: Floats, histories: Histories, trace: Trace, adjoints: _Adjoints, w: Parameters
) -> None:
    adjoint = adjoints.log_s / (1 + trace.lift * trace.surprise)
    adjoint[histories.forgotten] = 0
    adjoint[histories.same_day] = 0
    lifted = adjoint * trace.lift
    grown = lifted * trace.surprise
    gradient[8] += grown.sum()
    gradient[9] -= _dot(grown, trace.log_before)
    gradient[10] += _dot(lifted * (trace.surprise + 1), trace.forgetting)
    for rating, number in ((2, 15), (4, 16)):
        at = np.flatnonzero(histories.rating == rating)
        at = at[at >= histories.count]
        unweighted = np.exp(w[8] - w[9] * trace.log_before[at]) * (11 - trace.difficulty_before[at])
        gradient[number] += _dot(adjoint[at] * trace.surprise[at], unweighted)


def _forgotten(
    gradient: Floats, histories: Histories, trace: Trace, adjoints: _Adjoints, w: Parameters
) -> None:
    again = histories.forgotten
    capped = _capped(trace, again, w)
    adjoint = adjoints.log_s[again]
    gradient[17] -= w[18] * adjoint[capped].sum()
    gradient[18] -= w[17] * adjoint[capped].sum()
    again, adjoint = again[~capped], adjoint[~capped]
    gradient[11] += adjoint.sum() / w[11]
    gradient[12] -= _dot(adjoint, np.log(trace.difficulty_before[again]))
    gradient[13] += _dot(adjoint, _power_by_exponent(trace.log_before[again], w)[1])
    gradient[14] += _dot(adjoint, trace.forgetting[again])


def _same_day(
    gradient: Floats, histories: Histories, trace: Trace, adjoints: _Adjoints, w: Parameters
) -> None:
    soon = histories.same_day
    adjoint = adjoints.log_s[soon] * _free(histories, trace, soon, w)
    grade = histories.rating[soon].astype(np.float64)
    gradient[17] += _dot(adjoint, grade - 3 + w[18])
    gradient[18] += w[17] * adjoint.sum()
    gradient[19] -= _dot(adjoint, trace.log_before[soon])


def _decay(
    gradient: Floats, trace: Trace, local: _Local, adjoints: _Adjoints, w: Parameters
) -> None:
    """r = -w20·log(1 + f·t/S), in which f = 0.9^(-1/w20) - 1 moves too."""
    adjoint = local.scored + adjoints.log_s * local.by_log_recall
    growth = 0.9 ** (-1 / w[20])
    factor_share = growth * log(0.9) / w[20] ** 2 / (growth - 1)
    gradient[20] -= _dot(adjoint, np.log1p(trace.lateness))
    gradient[20] -= factor_share * _dot(adjoint, local.recall_by_log)


def _capped(trace: Trace, again: Ints, w: Parameters) -> NDArray[np.bool_]:
    """Where forgetting was held to the stability that a same-day Again leaves."""
    log_s = trace.log_before[again]
    forgotten = log_forgotten(log_s, trace.difficulty_before[again], trace.forgetting[again], w)
    capped: NDArray[np.bool_] = forgotten > log_s - w[17] * w[18]
    return capped


def _free(histories: Histories, trace: Trace, soon: Ints, w: Parameters) -> NDArray[np.bool_]:
    """Where a same-day review changed stability: an Again always, others if they raised it."""
    rating = histories.rating[soon]
    free: NDArray[np.bool_] = (rating == 1) | (
        same_day_growth(trace.log_before[soon], rating, w) > 0
    )
    return free


def _power_by_exponent(log_s: Floats, w: Parameters) -> tuple[Floats, Floats]:
    """Of log((S+1)^w13 - 1): its derivatives with respect to ℓ, over w13, and to w13."""
    stability = np.exp(log_s)
    log_sum = np.log1p(stability)
    power = np.expm1(w[13] * log_sum)
    ratio = (power + 1) / power
    return ratio * stability / (1 + stability), ratio * log_sum


def _dot(left: Floats, right: Floats) -> float:
    """Without BLAS, which would start threads that wait for each other on a busy machine."""
    return float(np.einsum("i,i->", left, right))
