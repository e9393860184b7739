"""The coming days, simulated: every card comes when it is due and is recalled by its chance.

Cards of several plans, each lived through several times, stand side by side as rows of one array;
a row belongs to a world, which is one run of one plan. Chance comes from the generator alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from quizzer.schedule.histories import Bools, Floats, Ints
from quizzer.schedule.many import NEW, REVIEW, KnownMemories, Memories
from quizzer.schedule.scheduler import Policy

LONGER_THAN_ANY = 10**6
"""Days, beside any interval."""
MOST_IN_A_DAY = 20
"""Ratings of one card on one day; what is in its step even then comes again the next day."""


@dataclass(frozen=True)
class Limit:
    """A daily limit on cards, which draw on one or several purses."""

    purse: Ints
    """(n,) which one a card draws on."""
    per_day: Ints
    """(purses,)"""
    today: Ints
    """(purses,) what is left on the first day."""


@dataclass(frozen=True)
class Cards:
    """n cards on the first day; those never reviewed stand in the order in which they come."""

    known: KnownMemories
    earliest: Ints
    """(n,) the first study day on which the card may come, if it is due by then."""
    minutes: Floats
    """(n,) what it takes, from question to rating."""
    reviews: Limit
    """Of cards due for review; those in a ten-minute step come whatever the limit."""
    new: Limit

    def __len__(self) -> int:
        return len(self.known)

    def where(self, chosen: Bools) -> "Cards":
        def limit(of: Limit) -> Limit:
            return Limit(of.purse[chosen], of.per_day, of.today)

        known = (getattr(self.known, column.name)[chosen] for column in fields(KnownMemories))
        return Cards(
            KnownMemories(*known),
            self.earliest[chosen],
            self.minutes[chosen],
            limit(self.reviews),
            limit(self.new),
        )


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
    """(plans, runs) those of them that were due, but over the limit."""


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
    first_days = _first_days(cards, today)
    meet = (cards.known.state != NEW) | (first_days < today + days)
    worlds = _Worlds(cards.where(meet), first_days[meet], retention[:, meet], policy, habits, runs)
    lived = []
    for number in range(days):
        lived.append(worlds.live(today + number, rng, number == 0))
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
        first_days: Ints,
        retention: Floats,
        policy: Policy,
        habits: Habits,
        runs: int,
    ) -> None:
        self._shape = len(retention), runs
        self._lives = runs * len(cards)
        self._count = count = len(retention) * runs
        tiled = (
            np.tile(getattr(cards.known, column.name), count) for column in fields(KnownMemories)
        )
        desired = np.repeat(retention, runs, axis=0).ravel()
        self._memories = Memories(KnownMemories(*tiled), desired, policy)
        self._due = np.tile(first_days, count)
        self._minutes = np.tile(cards.minutes, count)
        self._world = np.repeat(np.arange(count), len(cards))
        self._purse = self._world * len(cards.reviews.per_day) + np.tile(cards.reviews.purse, count)
        self._room_today = np.tile(cards.reviews.today, count)
        self._room = np.tile(cards.reviews.per_day, count)
        self._step_share = habits.step_share
        chances = np.array([habits.first, habits.step, habits.recalled])
        self._up_to = np.cumsum(chances, axis=1)[:, :3]

    def live(self, day: int, rng: np.random.Generator, first: bool) -> _Day:
        """One day in every world, until nothing is left in its ten minutes."""
        rows = self._coming(day, first)
        fresh = self._memories.state[rows] == NEW
        known = rows[~fresh]
        recall = self._by_world(known, self._memories.recall(known, day))
        minutes, share = np.zeros(self._count), 1.0
        left = rows
        for _ in range(MOST_IN_A_DAY):
            if not len(left):
                break
            minutes += share * self._by_world(left, self._minutes[left])
            self._rate(left, day, rng)
            left = left[self._memories.interval[left] == 0]
            share = self._step_share
        self._due[rows] = day + np.maximum(self._memories.interval[rows], 1)
        return _Day(self._counted(known), self._counted(rows[fresh]), minutes, recall)

    def outcome(self, lived: list[_Day], day: int) -> Outcome:
        """What the days lived add up to on the morning of `day`."""
        met = np.flatnonzero(self._memories.state != NEW)
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
            waiting=self._counted(met[self._due[met] < day]).reshape(self._shape),
        )

    def _rate(self, rows: Ints, day: int, rng: np.random.Generator) -> None:
        """Rate the cards as the learner would: by the chance of recall, then by his habits."""
        # One draw for a card's run under all plans: the plans shall differ, not their luck.
        remembering, choosing, spreading = rng.random((3, self._lives))[:, rows % self._lives]
        fresh = self._memories.state[rows] == NEW
        later = ~fresh & (self._memories.elapsed(rows, day) > 0)
        kind = np.where(fresh, 0, np.where(later, 2, 1))
        rating = 1 + (choosing[:, None] >= self._up_to[kind]).sum(axis=1)
        rating[later & (remembering >= self._memories.recall(rows, day))] = 1
        self._memories.rate(rows, rating, day, spreading)

    def _coming(self, day: int, first: bool) -> Ints:
        """The rows that come on this day: all that are due, within the limits."""
        rows = np.flatnonzero(self._due <= day)
        limited = np.flatnonzero(self._memories.state[rows] == REVIEW)
        reviews = rows[limited]
        purse = self._purse[reviews]
        room = self._room_today if first else self._room
        waiting = np.bincount(purse, minlength=len(room))
        over = np.flatnonzero(waiting > room)
        if not len(over):
            return rows
        # The earliest due day first, of equal ones the shortest interval.
        turn = self._due[reviews] * LONGER_THAN_ANY + self._memories.interval[reviews]
        by_purse = np.argsort(purse, kind="stable")
        ends = np.cumsum(waiting)
        late = [
            _beyond(by_purse[ends[one] - waiting[one] : ends[one]], turn, max(0, room[one]))
            for one in over
        ]
        return np.delete(rows, limited[np.concatenate(late)])

    def _counted(self, rows: Ints) -> Ints:
        return np.bincount(self._world[rows], minlength=self._count)

    def _by_world(self, rows: Ints, values: Floats) -> Floats:
        return np.bincount(self._world[rows], values, self._count).astype(np.float64)


def _beyond(places: Ints, turn: Ints, room: int) -> Ints:
    """The places that are left when the `room` ones whose turn is first have been taken."""
    in_turn: Ints = np.argpartition(turn[places], room)
    return places[in_turn[room:]]


def _first_days(cards: Cards, today: int) -> Ints:
    """(n,) the day from which each card comes: its due day, or the one that has room for it."""
    known = cards.known
    due = known.day + known.interval
    days = np.where(cards.earliest > today, np.maximum(due, cards.earliest), due)
    never = np.iinfo(np.int64).max
    for purse, per_day in enumerate(cards.new.per_day.tolist()):
        waiting = np.flatnonzero((known.state == NEW) & (cards.new.purse == purse))
        at_once = waiting[cards.earliest[waiting] <= today][: max(0, cards.new.today[purse])]
        later = np.setdiff1d(waiting, at_once)
        days[at_once] = today
        days[later] = today + 1 + np.arange(len(later)) // per_day if per_day else never
    return days
