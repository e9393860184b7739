"""What `scheduler.schedule` does for one card, for many at once: strength, interval, state.

The formulas are the pieces of `replay`, the rules those of `scheduler`; it agrees with both.
"""

from dataclasses import dataclass

import numpy as np

from quizzer.forecast.prospects import Strengths
from quizzer.fsrs import step as fsrs
from quizzer.fsrs.histories import Floats, Ints
from quizzer.fsrs.replay import (
    LOG_CEILING,
    LOG_FLOOR,
    after_forgetting,
    after_recall,
    bounded,
    difficulty_tables,
    first_strengths,
    forgetting_when,
    lateness,
    on_the_same_day,
    recall_lift,
    recall_surprise,
    recall_weights,
)
from quizzer.fsrs.scheduler import MAXIMUM_INTERVAL, Policy, fuzz_range
from quizzer.values import State

NEW, LEARNING, REVIEW, RELEARNING = range(4)
STATES = {
    State.NEW: NEW,
    State.LEARNING: LEARNING,
    State.REVIEW: REVIEW,
    State.RELEARNING: RELEARNING,
}
_RATINGS = np.arange(1, 5)[:, None]


@dataclass(frozen=True)
class KnownMemories:
    """What is known of each card; all (n,). Of a card never reviewed only the state counts."""

    state: Ints
    """As `STATES` numbers them."""
    stability: Floats
    difficulty: Floats
    day: Ints
    """The study day of the last review."""
    interval: Ints

    def __len__(self) -> int:
        return len(self.state)


class Memories:
    """The memories of many cards, which change as they are rated."""

    def __init__(self, known: KnownMemories, retention: Floats, policy: Policy) -> None:
        """`retention` (n,) is the one desired of each card; the policy gives everything else."""
        w = policy.parameters
        self.state = known.state.copy()
        self.day = known.day.copy()
        self.interval = known.interval.copy()
        unseen = known.state == NEW
        self._log = np.log(np.where(unseen, 1.0, known.stability))
        self._difficulty = np.where(unseen, 5.0, known.difficulty)
        self._policy = policy
        self._weights = recall_weights(w)[1:, None]
        self._slope, self._offset = difficulty_tables(w)
        self._first_log, self._first_difficulty = first_strengths(w)
        self._days_by_stability = _days_by_stability(retention, policy)
        self._fuzz = _FuzzRanges(policy.maximum_interval)

    @property
    def stability(self) -> Floats:
        return np.exp(self._log)

    def strengths(self, rows: Ints) -> Strengths:
        return Strengths(self._log[rows], self._difficulty[rows])

    @property
    def difficulty(self) -> Floats:
        return self._difficulty

    def elapsed(self, rows: Ints, day: int) -> Ints:
        """Study days since the last review."""
        return np.maximum(day - self.day[rows], 0)

    def recall(self, rows: Ints, day: int) -> Floats:
        """The chance of recall of these cards, which must have been reviewed, on a day."""
        return 1 - self._forgetting(rows, day)

    def rate(
        self,
        rows: Ints,
        rating: Ints,
        day: int,
        draw: Floats,
        longest: Ints | int = MAXIMUM_INTERVAL,
    ) -> None:
        """Rate each of these cards on a day; `draw` in [0, 1) chooses the day within its fuzz.

        `longest` bounds the intervals, of each card or of all, beside the policy.
        """
        here = np.arange(len(rows))
        state = self.state[rows]
        log_after = self._log_after(rows, day)
        interval = self._intervals(rows, log_after, draw, longest)[rating - 1, here]
        difficulty = self._slope[rating] * self._difficulty[rows] + self._offset[rating]
        self._difficulty[rows] = np.where(
            state == NEW, self._first_difficulty[rating], bounded(difficulty, 1, 10)
        )
        self._log[rows] = log_after[rating - 1, here]
        self.interval[rows] = interval
        self.day[rows] = np.where(state == NEW, day, np.maximum(self.day[rows], day))
        step = np.where(state <= LEARNING, LEARNING, RELEARNING)
        self.state[rows] = np.where(interval > 0, REVIEW, step)

    def _forgetting(self, rows: Ints, day: int) -> Floats:
        w = self._policy.parameters
        return forgetting_when(lateness(self._log[rows], self.elapsed(rows, day), w), w)

    def _log_after(self, rows: Ints, day: int) -> Floats:
        """(4, n) log-stability after each rating."""
        w = self._policy.parameters
        log_before, difficulty = self._log[rows], self._difficulty[rows]
        forgetting = self._forgetting(rows, day)
        lift = recall_lift(log_before, difficulty, self._weights, w)
        after = after_recall(log_before, lift, recall_surprise(forgetting, w))
        after[0] = after_forgetting(log_before, difficulty, forgetting, w)
        soon = self.elapsed(rows, day) == 0
        after[:, soon] = on_the_same_day(log_before[soon], _RATINGS, w)
        after[:, self.state[rows] == NEW] = self._first_log[1:, None]
        return bounded(after, LOG_FLOOR, LOG_CEILING)

    def _intervals(self, rows: Ints, log_after: Floats, draw: Floats, longest: Ints | int) -> Ints:
        """(4, n) days after each rating, 0 for the step: the rules of `scheduler.intervals`."""
        most: Ints = np.minimum(longest, self._policy.maximum_interval)
        days = np.exp(log_after[1:]) * self._days_by_stability[rows]
        nearest = np.clip(np.floor(days + 0.5), 1, most).astype(np.int64)
        learning = self.state[rows] <= LEARNING
        hard = nearest[0]
        good = np.maximum(nearest[1], np.where(learning, 1, hard))
        easy = np.minimum(np.maximum(nearest[2], good + 1), most)
        chosen = np.stack([hard, good, easy])
        if self._policy.fuzz:
            chosen = self._fuzz(chosen, draw, most)
        tied = chosen[2] == chosen[1]
        chosen[2, tied] = np.minimum(chosen[1] + 1, most)[tied]
        chosen[0, learning] = 0
        return np.concatenate([np.zeros((1, len(rows)), np.int64), chosen])


class _FuzzRanges:
    """`scheduler.fuzz_range` as a table, filled with the intervals that occur."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._ends = np.zeros((2, maximum + 1), np.int64)

    def __call__(self, interval: Ints, draw: Floats, most: Ints | int) -> Ints:
        """A day of each interval's range, as far as it goes to `most`."""
        unknown = interval[self._ends[1, interval] == 0]
        for days in np.unique(unknown).tolist() if len(unknown) else ():
            self._ends[:, days] = fuzz_range(days, self._maximum)
        least, greatest = np.minimum(self._ends[:, interval], most)
        return np.asarray(least + np.floor(draw * (greatest - least + 1)).astype(np.int64))


def _days_by_stability(retention: Floats, policy: Policy) -> Floats:
    """(n,) days until recall has fallen to the one desired, of a stability of one day."""
    values, places = np.unique(retention, return_inverse=True)
    days = [fsrs.days_until(1.0, value, policy.parameters) for value in values.tolist()]
    return np.asarray(np.array(days, np.float64)[places])
