"""What a forecast must allow for, as the learner's own log tells it.

FSRS foretells the chance of recall at every review. A learner recalls less if they slip in
derivations that they know, forget in another way than FSRS believes, or tire in the course of a
day. How much less depends on the days since the card's last review, on how many reviews it has had
and on how much was done that day. The newest reviews of the log tell all of these; with little
evidence the correction stays small. It is used only if it foretells held-out reviews better.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import exp, log
from operator import mul

from msgspec import Struct, field

from quizzer.forecast.outcomes import Outcome

FEWEST = 50
"""Reviews below which nothing is corrected."""
FEWEST_OF_COURSE = 200
"""Reviews from which a course has a correction of its own."""
NEWEST = 3_000
"""Reviews that are looked at: what was long ago says little of today."""
PARTS = 5
"""Of the log: each but the first is foretold by a correction fitted to all before it."""
EARLY, LATE = 20, 100
"""Reviews of a day in which one may tire in another way than later on, and beyond which no more.

An exam finds a rested learner, and a line through long days misses where they begin.
"""
_SPREADS = (0.5, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3)
"""Of the weights among learners."""
_SLIPS, _SLIPS_SPREAD = log(0.03), 1.0
"""The logarithm of the share of slips among learners."""
_LEAST, _MOST = 0.01, 0.995
"""The chances between which a logit is taken."""
_STEPS = 30


class Correction(Struct, frozen=True):
    """Weights of what is known of a review, for the logit of recall; and the share of slips."""

    shift: float = 0.0
    days: float = 0.0
    """Of the logarithm of the days since the last review."""
    many: float = 0.0
    """Of the logarithm of the number of reviews before."""
    few: float = 0.0
    """Of its inverse: what wears off with the first reviews."""
    days_of_few: float = 0.0
    """Of the product of both: the first reviews may fade in another way than later ones."""
    early: float = 0.0
    """Of the number of reviews of any card before on that day, up to `EARLY`."""
    late: float = 0.0
    """Of those beyond it, up to `LATE`."""
    slips: float = 0.0

    def of(self, recall: float, elapsed: int, reviews: int, place: int = 0) -> float:
        """The corrected chance of a card, so many days after the last of so many reviews.

        `place` counts the reviews before on that day; rested, there were none.
        """
        if self == NONE or elapsed < 1:
            return recall
        weights = (
            self.shift,
            self.days,
            self.many,
            self.few,
            self.days_of_few,
            self.early,
            self.late,
        )
        logit = _logit(recall) + sum(map(mul, weights, _known(elapsed, reviews, place)))
        return (1 - self.slips) / (1 + exp(-min(max(logit, -30.0), 30.0)))


NONE = Correction()


class Past(Struct, frozen=True):
    """What came of past forecasts, and how the next ones are corrected by it."""

    correction: Correction = NONE
    foretold: float = 1.0
    """The mean chance of recall at past reviews."""
    came_true: float = 1.0
    """The share of them that were recalled."""


NO_PAST = Past()


class Corrections(Struct, frozen=True):
    """What the log says of forecasts, by course."""

    whole: Past = NO_PAST
    by_course: Mapping[str, Past] = field(default_factory=dict)
    """Of courses with reviews enough of their own, in lower case."""

    def of_course(self, course: str) -> Past:
        return self.by_course.get(course.casefold(), self.whole)


UNCORRECTED = Corrections()


def corrections_of(outcomes: Sequence[Outcome]) -> Corrections:
    """What these reviews, oldest first, say about forecasts."""
    newest = [each for each in outcomes if each.elapsed][-NEWEST:]
    if len(newest) < FEWEST:
        return UNCORRECTED
    by_course = defaultdict[str, list[Outcome]](list)
    for each in newest:
        by_course[each.course].append(each)
    several = len(by_course) > 1
    own = {name: of for name, of in by_course.items() if several and len(of) >= FEWEST_OF_COURSE}
    return Corrections(_past(newest), {name: _past(of) for name, of in own.items()})


def _past(outcomes: Sequence[Outcome]) -> Past:
    count = len(outcomes)
    foretold = sum(each.recall for each in outcomes) / count
    return Past(best(outcomes), foretold, sum(each.recalled for each in outcomes) / count)


def best(outcomes: Sequence[Outcome]) -> Correction:
    """The correction that the outcomes tell; none, if that foretells held-out ones better."""
    count = len(outcomes)
    cuts = [count * part // PARTS for part in range(1, PARTS + 1)]
    gain = 0.0
    for cut, end in pairwise(cuts):
        learned = fitted(outcomes[:cut])
        gain += _loss(NONE, outcomes[cut:end]) - _loss(learned, outcomes[cut:end])
    return fitted(outcomes) if gain > 0 else NONE


def fitted(outcomes: Sequence[Outcome]) -> Correction:
    """The likeliest correction, its weights being near 0 beforehand.

    Steps by Fisher's information; the last weight is the logarithm of the share of slips.
    """
    import numpy as np

    known = np.array([_known(each.elapsed, each.reviews, each.place) for each in outcomes])
    logits = np.array([_logit(each.recall) for each in outcomes])
    recalled = np.array([each.recalled for each in outcomes])
    usual = np.array([0.0] * len(_SPREADS) + [_SLIPS])
    stiffness = np.array([*_SPREADS, _SLIPS_SPREAD]) ** -2.0
    weights = usual
    for _ in range(_STEPS):
        slips = min(exp(weights[-1]), 0.9)
        knows = 1 / (1 + np.exp(-(logits + known @ weights[:-1])))
        chances = np.clip((1 - slips) * knows, 1e-9, 1 - 1e-9)
        changes = np.column_stack(
            [((1 - slips) * knows * (1 - knows))[:, None] * known, -slips * knows]
        )
        heavy = changes / (chances * (1 - chances))[:, None]
        slope = heavy.T @ (chances - recalled) + stiffness * (weights - usual)
        bend = heavy.T @ changes + np.diag(stiffness)
        move = np.clip(np.linalg.solve(bend, slope), -0.5, 0.5)
        weights = weights - move
        if np.abs(move).max() < 1e-4:
            break
    return Correction(*[*weights[:-1].tolist(), min(exp(weights[-1]), 0.9)])


def _loss(correction: Correction, outcomes: Sequence[Outcome]) -> float:
    """The log-loss, summed."""
    total = 0.0
    for each in outcomes:
        chance = min(max(correction.of(*_told(each)), _LEAST), _MOST)
        total -= log(chance if each.recalled else 1 - chance)
    return total


def _told(outcome: Outcome) -> tuple[float, int, int, int]:
    return outcome.recall, outcome.elapsed, outcome.reviews, outcome.place


def _known(elapsed: int, reviews: int, place: int) -> tuple[float, ...]:
    """What the weights are of, each around 0 for a usual review."""
    days, few = log(elapsed) - 1.5, 1 / reviews - 0.4
    early, late = min(place, EARLY), min(max(place, EARLY), LATE) - EARLY
    return 1.0, days, log(reviews) - 1.0, few, days * few, early / 20 - 0.5, late / 20 - 0.3


def _logit(chance: float) -> float:
    likely = min(max(chance, _LEAST), _MOST)
    return log(likely / (1 - likely))
