"""The learner's own parameters: fitted to their log, and adopted only if they foretell better.

Better is judged on reviews that neither the old nor the new parameters have seen: the log is cut
into consecutive parts, and each part is foretold by a fit to all that came before it.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt

import numpy as np
from msgspec import Struct

from quizzer.fsrs.histories import BLOCK, Bools, Floats, Histories, Ints, Reviews, pack
from quizzer.fsrs.lbfgs import minimise
from quizzer.fsrs.model import FSRS_6, Model
from quizzer.fsrs.step import Parameters

Progress = Callable[[int, int], None]
"""Is told how many fits are made, and of how many."""

FOLDS = 5
FITS = FOLDS + 1
"""One before each held-out part, and one to the whole log."""
FEWEST = 200
"""Held-out reviews below which a comparison says nothing."""
SAMPLE = 20_000
"""Reviews of a sample that comes near the minimum of a log five times as long."""
SHARE = 5
"""One history in so many tells the curvature; of a long log fewer do, `SAMPLE` reviews in all."""
ROUGHLY, ENOUGH = 1e-4, 1e-6
"""Gains, as a share, below which a descent ends: on the sample, and on the whole log."""
DIGITS = 6


def silent(made: int, total: int) -> None:
    """Progress that nobody asked for."""


class Comparison(Struct, frozen=True):
    """Mean log-loss on the held-out reviews, lower is better."""

    reviews: int
    current: float
    fitted: float
    error: float
    """The standard error of the difference."""

    @property
    def gain(self) -> float:
        return self.current - self.fitted

    @property
    def improves(self) -> bool:
        """Whether the gain is more than what chance alone would often give."""
        return self.gain > self.error


class Fit(Struct, frozen=True):
    """What came of a fit; `parameters` and `held_out` are None where there was too little."""

    reviews: int
    scored: int
    """Reviews that say something about forgetting: not the first of a card, on a later day."""
    unseen: int
    """Those held out: foretold by fits that had not seen them."""
    parameters: tuple[float, ...] | None = None
    held_out: Comparison | None = None

    @property
    def adopt(self) -> bool:
        return self.held_out is not None and self.held_out.improves


def fit(
    reviews: Reviews,
    current: Parameters | None = None,
    current_day: int | None = None,
    model: Model = FSRS_6,
    progress: Progress = silent,
) -> Fit:
    """Fit the model to the log and compare with the parameters in use, None for the defaults.

    `current_day` is the day on which those in use were fitted: they have seen what came before,
    so that only later reviews can tell whether new ones are better.
    """
    places = np.flatnonzero(scored(pack(reviews)))
    first = len(places) // (FOLDS + 1)
    if current_day is not None:
        first = max(first, int((reviews.day[places] <= current_day).sum()))
    unseen = len(places) - first
    if unseen < FEWEST:
        return Fit(len(reviews), len(places), unseen)
    in_use = model.defaults if current is None else current
    cuts = np.linspace(first, len(places), FOLDS + 1).astype(int).tolist()
    losses, fitted = held_out(reviews, places, cuts, model, progress)
    before = log_losses(reviews, in_use, model)[places[first:]]
    difference = before - losses
    comparison = Comparison(
        reviews=unseen,
        current=float(before.mean()),
        fitted=float(losses.mean()),
        error=float(difference.std()) / sqrt(unseen),
    )
    own = fitted_parameters(reviews, start=fitted, model=model)
    progress(FITS, FITS)
    return Fit(len(reviews), len(places), unseen, own, comparison)


def held_out(
    reviews: Reviews,
    places: Ints,
    cuts: Sequence[int],
    model: Model = FSRS_6,
    progress: Progress = silent,
) -> tuple[Floats, tuple[float, ...]]:
    """The log-loss of the reviews at `places[cuts[0] : cuts[-1]]`, and the last fit.

    Those between two cuts are foretold by a fit to all reviews before them.
    """
    losses = []
    parameters = model.defaults
    for made, (low, high) in enumerate(pairwise(cuts), start=1):
        known = reviews.until(int(places[low]))
        parameters = fitted_parameters(known, start=parameters, model=model)
        told = reviews.until(int(places[high - 1]) + 1)
        losses.append(log_losses(told, parameters, model)[places[low:high]])
        progress(made, FITS)
    return np.concatenate(losses), parameters


def fitted_parameters(
    reviews: Reviews, start: Parameters | None = None, model: Model = FSRS_6
) -> tuple[float, ...]:
    """The parameters that foretell these reviews best, newer ones counting more.

    Minimised are the recency-weighted cross-entropy plus Σ((w - w0)/σ)², by which parameters that
    the log says little about stay at the defaults w0.
    """
    whole = _Objective(reviews, model)
    sample = _sampled(reviews, model)
    at = np.array(model.defaults if start is None else start)
    if len(reviews) >= SHARE * SAMPLE:
        at = _descend(sample, at, sample, model, ROUGHLY)
    at = _descend(whole, at, sample, model, ENOUGH)
    return tuple(round(value, DIGITS) for value in at.tolist())


def log_losses(reviews: Reviews, parameters: Parameters, model: Model = FSRS_6) -> Floats:
    """-log of the chance that the model gave to what happened; 0 where nothing is scored."""
    histories = pack(reviews)
    counts = scored(histories)
    recall = np.where(counts, model.recall(histories, parameters), 0.5)
    losses = -np.log(np.where(reviews.rating > 1, recall, 1 - recall))
    return np.where(counts, losses, 0.0)


def recency_weights(counts: Bools) -> Floats:
    """0.25 for the oldest scored review, 1 for the newest: .25 + .75·x³; 0 for the others."""
    weights = np.zeros(len(counts))
    weights[counts] = 0.25 + 0.75 * np.linspace(0, 1, int(counts.sum())) ** 3
    return weights


def scored(histories: Histories) -> Bools:
    """(n,) in the order of the log: which reviews say something about forgetting."""
    return histories.in_log_order(histories.elapsed) > 0


class _Objective:
    """What is minimised, and its gradient, as a function of the parameters."""

    def __init__(self, reviews: Reviews, model: Model, share: float = 1.0) -> None:
        """`reviews` may be a sample, of which each then counts for 1 / `share`."""
        histories = pack(reviews)
        weights = recency_weights(scored(histories)) / share
        self._model = model
        self._blocks = [(block, weights[block.place]) for block in histories.blocks(BLOCK)]

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        away = (parameters - self._model.defaults) / self._model.spread
        value, gradient = float(away @ away), 2 * away / self._model.spread
        for block, weights in self._blocks:
            loss, slope = self._model.loss_and_gradient(block, weights, parameters.tolist())
            value += loss
            gradient += slope
        return value, gradient


def _sampled(reviews: Reviews, model: Model) -> _Objective:
    """The same objective as a sample of the histories estimates it, quicker by as much."""
    every = max(SHARE, len(reviews) // SAMPLE)
    sample = reviews.where(reviews.history % every == 0)
    return _Objective(sample, model, share=max(len(sample), 1) / len(reviews))


def _descend(
    objective: _Objective, at: Floats, sample: _Objective, model: Model, enough: float
) -> Floats:
    """Where the objective is least within the model's bounds; the sample tells its curvature."""
    lower, upper = np.array(model.lower), np.array(model.upper)
    curvature = _curvature(sample, at, model)
    return minimise(objective, at, lower, upper, curvature=curvature, tolerance=enough).point


def _curvature(objective: _Objective, at: Floats, model: Model) -> Floats:
    """(parameters, parameters) second derivatives, by differences of gradients.

    An hour more of the first stability can matter as much as days in another, and what one
    parameter does another can undo. Where the objective is not convex it is taken as if it were,
    and nowhere flatter than the prior alone makes it.
    """
    spread = np.array(model.spread)
    _, here = objective(at)
    inward = np.where(at + spread / 100 > model.upper, -1, 1)
    reaches = np.diag(inward * spread / 100)
    beside = [(objective(at + reach)[1] - here) / reach.sum() for reach in reaches]
    scaled = np.array(beside) * np.outer(spread, spread)
    values, directions = np.linalg.eigh((scaled + scaled.T) / 2)
    convex = (directions * np.maximum(np.abs(values), 2)) @ directions.T
    return np.asarray(convex / np.outer(spread, spread))
