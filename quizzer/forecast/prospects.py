"""What `exam.prospect` and `exam.price` do for one course, for the cards of many at once.

The formulas are the pieces of `replay`; it agrees with `exam`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quizzer.fsrs.histories import Floats, Ints
from quizzer.fsrs.replay import (
    LOG_CEILING,
    LOG_FLOOR,
    after_forgetting,
    after_recall,
    bounded,
    difficulty_tables,
    forgetting_when,
    lateness,
    on_the_same_day,
    recall_lift,
    recall_surprise,
    recall_weights,
)
from quizzer.fsrs.step import Parameters
from quizzer.plan import exam_gain as exam
from quizzer.values import Rating

_GOOD = np.array(int(Rating.GOOD))


@dataclass(frozen=True, slots=True)
class Strengths:
    """Of n cards: log-stability and difficulty, each (n,)."""

    log: Floats
    difficulty: Floats

    def at(self, places: Ints) -> "Strengths":
        return Strengths(self.log[places], self.difficulty[places])


@dataclass(frozen=True, slots=True)
class Standings:
    """`exam.Standing` of n cards; each (n,)."""

    alone: Floats
    on_eve: Floats

    def worth(self, price: Floats) -> Floats:
        return np.maximum(self.alone, self.on_eve - price)

    def at(self, places: Ints) -> "Standings":
        return Standings(self.alone[places], self.on_eve[places])


def standings(held: Strengths, elapsed: Ints, left: Ints, w: Parameters) -> Standings:
    """Of cards reviewed `elapsed` (n,) days ago whose exam is in `left` (n,) days, at least one."""
    alone = _recall(held.log, elapsed + left, w)
    recall, recalled, lapsed = _outcomes(held, np.maximum(elapsed + left - 1, 1), w)
    next_day = np.ones(1)
    on_eve = recall * _recall(recalled.log, next_day, w)
    on_eve += (1 - recall) * _recall(lapsed.log, next_day, w)
    return Standings(alone, np.where(left > 1, on_eve, alone))


def gains(
    held: Strengths, elapsed: Ints, left: Ints, skipped: Standings, price: Floats, w: Parameters
) -> Floats:
    """(n,) `exam.Prospect.gain` of a review now, at the price (n,) of a later one.

    `elapsed` is at least one; `skipped` are the cards' `standings` if they are left alone.
    """
    recall, recalled, lapsed = _outcomes(held, elapsed, w)
    now = np.zeros_like(elapsed)
    gained = recall * standings(recalled, now, left, w).worth(price)
    gained += (1 - recall) * standings(lapsed, now, left, w).worth(price)
    return gained - skipped.worth(price)


def prices(
    skipped: Standings,
    group: Ints,
    unseen: Ints,
    first: Sequence[exam.Standing],
    per_day: Floats,
    days: Ints,
) -> Floats:
    """(groups,) `exam.price` of each: of its cards met, and `unseen` ones that stand as `first`.

    `per_day` (groups,) cards are reviewed on each of the `days` (groups,) until the eve.
    """
    by_group = np.argsort(group, kind="stable")
    added = (skipped.on_eve - skipped.alone)[by_group]
    ends = np.cumsum(np.bincount(group, minlength=len(unseen)))
    found = np.zeros(len(unseen))
    for one, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        room = int(per_day[one] * days[one])
        count = end - start + unseen[one]
        if room < count:
            new = np.full(unseen[one], first[one].on_eve - first[one].alone)
            everything = np.concatenate([added[start:end], new])
            found[one] = max(0.0, np.partition(everything, count - 1 - room)[count - 1 - room])
    return found


def _outcomes(held: Strengths, elapsed: Ints, w: Parameters) -> tuple[Floats, Strengths, Strengths]:
    """The chance of recall, and the strengths after recalling and after forgetting the cards."""
    slope, offset = difficulty_tables(w)
    forgetting = forgetting_when(lateness(held.log, elapsed, w), w)
    weight = recall_weights(w)[Rating.GOOD : Rating.GOOD + 1]
    lift = recall_lift(held.log, held.difficulty, weight, w)
    recalled = after_recall(held.log, lift, recall_surprise(forgetting, w))
    lapsed = _within(after_forgetting(held.log, held.difficulty, forgetting, w))

    def difficulty(before: Floats, rating: Rating) -> Floats:
        return bounded(slope[rating] * before + offset[rating], 1, 10)

    lapsed_difficulty = difficulty(held.difficulty, Rating.AGAIN)
    return (
        1 - forgetting,
        Strengths(_within(recalled), difficulty(held.difficulty, Rating.GOOD)),
        Strengths(
            _within(on_the_same_day(lapsed, _GOOD, w)), difficulty(lapsed_difficulty, Rating.GOOD)
        ),
    )


def _recall(log: Floats, elapsed: Ints | Floats, w: Parameters) -> Floats:
    return 1 - forgetting_when(lateness(log, elapsed, w), w)


def _within(log: Floats) -> Floats:
    return bounded(log, LOG_FLOOR, LOG_CEILING)
