"""The coming days, simulated: every card comes when it is due and is recalled by its chance.

Cards of several plans, each lived through several times, stand side by side as rows of one array;
a row belongs to a world, which is one run of one plan. Chance comes from the generator alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from quizzer.forecast.budget import in_time, ranks
from quizzer.forecast.coming import Cards, Coming, DayMinutes
from quizzer.forecast.many import LEARNING, NEW, KnownMemories, Memories
from quizzer.fsrs.histories import Bools, Floats, Ints
from quizzer.fsrs.scheduler import Policy

MOST_IN_A_DAY = 20
"""Ratings of one card on one day; what is in its step even then comes again the next day."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How a learner rates: the chances of Again, Hard, Good and Easy, which add up to 1."""

    first: tuple[float, float, float, float]
    step: tuple[float, float, float, float]
    """On the same day, after the ten minutes."""
    recalled: tuple[float, float, float, float]
    """On a later day, when the card is remembered: Again has no chance."""
    step_share: float = 1.0
    """What a repetition on the same day takes, as a share of the card's minutes."""


@dataclass(frozen=True)
class Outcome:
    """What came of each plan in each run."""

    reviews: Ints
    """(plans, runs, days) cards reviewed that were known before the day, each once."""
    new: Ints
    """(plans, runs, days) cards met for the first time."""
    minutes: Floats
    """(plans, runs, days), repetitions in a step included."""
    recall: Floats
    """(plans, runs) the mean chance of recall at these reviews; not a number without any."""
    met: Ints
    """(plans, runs) cards with a memory in the end, which is the morning after the last day."""
    remembered: Floats
    """(plans, runs) their chances of recall then, added up: the cards he would recall."""
    waiting: Ints
    """(plans, runs) those of them that were due, but over a limit."""
    out_of_time: Ints
    """(plans, runs) those of these that only the last day's minutes had no room for."""


def simulate(
    cards: Cards,
    retention: Floats,
    policy: Policy,
    habits: Habits,
    today: int,
    days: int,
    runs: int,
    rng: np.random.Generator,
    on_day: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Live through `days` days from today on, under each plan and in each run.

    `retention` (plans, n) is the one desired of each card; the policy gives everything else.
    `on_day` hears how many days are done, and of how many.
    """
    worlds = _Worlds(cards, retention, policy, habits, today, days, runs)
    lived = []
    for number in range(days):
        lived.append(worlds.live(today + number, rng))
        on_day(number + 1, days)
    return worlds.outcome(lived, today + days)


@dataclass(frozen=True, slots=True)
class _Day:
    """Of one day, each (worlds,)."""

    reviews: Ints
    new: Ints
    minutes: Floats
    recall: Floats
    """Chances of recall at the reviews, added up."""


class _Worlds:
    """All rows: row = world · cards + card, world = plan · runs + run."""

    def __init__(
        self,
        cards: Cards,
        retention: Floats,
        policy: Policy,
        habits: Habits,
        today: int,
        days: int,
        runs: int,
    ) -> None:
        may_come = _may_come(cards, days)
        cards, retention = cards.where(may_come), retention[:, may_come]
        self._shape = len(retention), runs
        self._lives = runs * len(cards)
        self._count = count = len(retention) * runs
        tiled = (
            np.tile(getattr(cards.known, column.name), count) for column in fields(KnownMemories)
        )
        desired = np.repeat(retention, runs, axis=0).ravel()
        self._memories = Memories(KnownMemories(*tiled), desired, policy)
        self._coming = Coming(cards, count, self._memories, today, policy.parameters)
        self._policy = policy
        self._habits = habits
        self._today = today
        self._exams = cards.exams
        self._budget = cards.budget
        self._out_of_time = np.empty(0, np.int64)
        self._minutes = np.tile(cards.minutes, count)
        self._exam = np.tile(cards.exams.of, count)
        self._world = np.repeat(np.arange(count), len(cards))
        chances = np.array([habits.first, habits.step, habits.recalled])
        self._up_to = np.cumsum(chances, axis=1)[:, :3]

    def live(self, day: int, rng: np.random.Generator) -> _Day:
        """One day in every world, until nothing is left in its ten minutes."""
        steps, fresh = self._coming.on(day)
        rows = np.concatenate([steps, fresh])
        luck = self._luck(rows, rng)
        rating = self._ratings(rows, day, luck)
        if self._budget:
            done = self._in_time(self._budget, rows, len(steps), rating, day)
            self._out_of_time = rows[~done]
            rows, luck, rating = rows[done], luck[:, done], rating[done]
        new = self._memories.state[rows] == NEW
        known = rows[~new]
        recall = self._by_world(known, self._memories.recall(known, day))
        minutes, share = np.zeros(self._count), 1.0
        longest = self._exams.longest(day, self._policy.maximum_interval)
        left = rows
        for _ in range(MOST_IN_A_DAY):
            minutes += share * self._by_world(left, self._minutes[left])
            self._memories.rate(left, rating, day, luck[2], longest[self._exam[left]])
            left = left[self._memories.interval[left] == 0]
            if not len(left):
                break
            luck = self._luck(left, rng)
            rating = self._ratings(left, day, luck)
            share = self._habits.step_share
        self._coming.again(rows, day)
        return _Day(self._counted(known), self._counted(rows[new]), minutes, recall)

    def outcome(self, lived: list[_Day], day: int) -> Outcome:
        """What the days lived add up to on the morning of `day`."""
        met = np.flatnonzero(self._memories.state != NEW)
        waiting, out_of_time = (
            self._counted(rows[self._coming.due[rows] < day]) for rows in (met, self._out_of_time)
        )
        reviews, new, minutes, recall = (
            np.array([getattr(one, each.name) for one in lived]).T for each in fields(_Day)
        )
        with np.errstate(invalid="ignore"):
            mean_recall = recall.sum(axis=1) / reviews.sum(axis=1)
        return Outcome(
            reviews=reviews.reshape(*self._shape, -1),
            new=new.reshape(*self._shape, -1),
            minutes=minutes.reshape(*self._shape, -1),
            recall=mean_recall.reshape(self._shape),
            met=self._counted(met).reshape(self._shape),
            remembered=self._by_world(met, self._memories.recall(met, day)).reshape(self._shape),
            waiting=waiting.reshape(self._shape),
            out_of_time=out_of_time.reshape(self._shape),
        )

    def _luck(self, rows: Ints, rng: np.random.Generator) -> Floats:
        """(3, n) draws for remembering, for choosing the rating, and for the fuzz."""
        if not len(rows):
            return np.empty((3, 0))
        # One draw for a card's run under all plans: the plans shall differ, not their luck.
        drawn: Floats = rng.random((3, self._lives))[:, rows % self._lives]
        return drawn

    def _ratings(self, rows: Ints, day: int, luck: Floats) -> Ints:
        """How the learner would rate: by the chance of recall, then by his habits."""
        remembering, choosing, _ = luck
        new = self._memories.state[rows] == NEW
        later = ~new & (self._memories.elapsed(rows, day) > 0)
        kind = np.where(new, 0, np.where(later, 2, 1))
        rating: Ints = 1 + (choosing[:, None] >= self._up_to[kind]).sum(axis=1)
        rating[later & (remembering >= self._memories.recall(rows, day))] = 1
        return rating

    def _in_time(self, budget: DayMinutes, rows: Ints, steps: int, rating: Ints, day: int) -> Bools:
        """Which of the rows the day's minutes suffice for; the first `steps` come in any case.

        One that goes to its step takes its repetitions along, as many as are usual.
        """
        again, hard, *_ = self._habits.step
        learning = self._memories.state[rows] <= LEARNING
        chance_of_staying = np.where(learning, again + hard, again)
        stays = np.where(learning, rating <= 2, rating == 1)
        repetitions = stays / np.maximum(1 - chance_of_staying, 1 / MOST_IN_A_DAY)
        minutes = self._minutes[rows]
        repeating = minutes * self._habits.step_share * repetitions
        begun = self._counted(rows[:steps]) > 0
        first = day == self._today
        fitting = in_time(
            self._world[rows[steps:]],
            minutes[steps:],
            repeating[steps:],
            self._by_world(rows[:steps], (minutes + repeating)[:steps]),
            budget.today if first else budget.per_day,
            begun | budget.begun if first else begun,
        )
        here: Bools = np.concatenate([np.ones(steps, np.bool_), fitting])
        return here

    def _counted(self, rows: Ints) -> Ints:
        return np.bincount(self._world[rows], minlength=self._count)

    def _by_world(self, rows: Ints, values: Floats) -> Floats:
        return np.bincount(self._world[rows], values, self._count).astype(np.float64)


def _may_come(cards: Cards, days: int) -> Bools:
    """(n,) without the new cards for which there is surely no room within so many days."""
    chosen: Bools = (cards.known.state != NEW) | (cards.exams.of >= 0)
    others = np.flatnonzero(~chosen)
    purse = cards.new.purse[others]
    chosen[others] = ranks(purse) < days * cards.new.per_day[purse]
    return chosen
