"""What the coming months will ask of the learner, and what another desired retention would change.

The learner's habits are found here, his cards become `columns`; `schedule.simulate` lives through
the days.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from quizzer.deck import Deck
from quizzer.forecast import usual
from quizzer.forecast.columns import columns, that_come
from quizzer.forecast.simulate import Habits, Outcome, simulate
from quizzer.fsrs.histories import Floats, Ints
from quizzer.fsrs.scheduler import Policy
from quizzer.plan.pace import Pace, step_share_of
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import Progress, Review, State

DAYS = 90
"""Of the forecast."""
YEAR = 365
"""Of the comparison: a new setting reaches a card with its next review, which may be far off."""
RETENTIONS = (0.8, 0.85, 0.9, 0.95)
ROWS = 40_000
"""Cards times plans times runs, about: what is lived through in a second or two."""
MOST_RUNS = 64

USUAL = Habits(usual.FIRST, usual.STEP, usual.RECALLED)
"""How people rate."""
USUAL_WEIGHT = 50
"""Reviews of his own after which the learner's habits count as much as the usual ones."""


@dataclass(frozen=True, slots=True)
class DayAhead:
    """A day to come, the mean of all runs."""

    day: int
    reviews: float
    """Cards that were known before, each once."""
    new: float
    minutes: float


@dataclass(frozen=True, slots=True)
class Workload:
    """A year under one desired retention, the mean of all runs."""

    retention: float
    reviews: float
    minutes: float
    met: float
    """Cards reviewed at least once by its end."""
    remembered: float
    """Those of them that he would recall at its end."""
    waiting: float
    """Those of them that were due then, but over a daily limit."""
    out_of_time: float
    """Those of these for which the day had room but for its minutes."""

    @property
    def minutes_a_day(self) -> float:
        return self.minutes / YEAR


@dataclass(frozen=True, slots=True)
class Ahead:
    """`days` are those of the present settings, `workloads` stand by retention, ascending."""

    days: tuple[DayAhead, ...]
    present: Workload
    workloads: tuple[Workload, ...]
    """The present one among them."""
    runs: int


def look_ahead(
    deck: Deck,
    progress: Mapping[str, Progress],
    done: Done,
    habits: Habits,
    pace: Pace,
    settings: Settings,
    today: int,
    rng: np.random.Generator,
    on_day: Callable[[int, int], None] = lambda done, total: None,
) -> Ahead:
    """Simulate the year from today on under the present desired retention and some others.

    Every day is taken to be a day of study on which all that is due within the limits is done.
    Courses with a desired retention of their own keep it throughout. Exams ahead and the minutes of
    a day change what comes as they do in the day's queue.
    """
    entries = that_come(deck, progress)
    cards = columns(deck, entries, progress, done, pace, settings, today)
    wanted = sorted({*RETENTIONS, settings.desired_retention})
    own = [settings.course(entry.header.course).desired_retention for entry in entries]
    plans = np.array([[one or retention for one in own] for retention in wanted], np.float64)
    runs = min(max(1, ROWS // (max(1, len(entries)) * len(wanted))), MOST_RUNS)
    policy = Policy(maximum_interval=settings.maximum_interval, parameters=settings.parameters)
    outcome = simulate(cards, plans, policy, habits, today, YEAR, runs, rng, on_day)
    workloads = tuple(_workload(outcome, plan, wanted[plan]) for plan in range(len(wanted)))
    at = wanted.index(settings.desired_retention)
    return Ahead(_days(outcome, at, today), workloads[at], workloads, runs)


def habits_of(reviews: Iterable[Review]) -> Habits:
    """How the learner rates, from reviews that stand; the fewer, the more like other people."""
    first, step, recalled = Counter[int](), Counter[int](), Counter[int]()
    at_first, in_step = list[float](), list[float]()
    for review in reviews:
        in_a_step = review.state in (State.LEARNING, State.RELEARNING)
        if review.seconds is not None:
            (in_step if in_a_step else at_first).append(review.seconds)
        if in_a_step:
            step[review.rating] += 1
        elif review.state is State.NEW:
            first[review.rating] += 1
        elif review.rating > 1:
            recalled[review.rating] += 1
    return Habits(
        _mixed(first, USUAL.first),
        _mixed(step, USUAL.step),
        _mixed(recalled, USUAL.recalled),
        step_share_of(at_first, in_step),
    )


def _mixed(
    counts: Counter[int], shares: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    total = counts.total() + USUAL_WEIGHT
    again, hard, good, easy = (
        (counts[rating] + USUAL_WEIGHT * share) / total
        for rating, share in enumerate(shares, start=1)
    )
    return again, hard, good, easy


def _days(outcome: Outcome, plan: int, today: int) -> tuple[DayAhead, ...]:
    reviews, new, minutes = (
        _means(column[plan, :, :DAYS]) for column in (outcome.reviews, outcome.new, outcome.minutes)
    )
    return tuple(
        DayAhead(today + number, *means)
        for number, means in enumerate(zip(reviews, new, minutes, strict=True))
    )


def _means(runs: Floats | Ints) -> list[float]:
    means: list[float] = runs.mean(axis=0).tolist()
    return means


def _workload(outcome: Outcome, plan: int, retention: float) -> Workload:
    return Workload(
        retention=retention,
        reviews=float(outcome.reviews[plan].sum(axis=1).mean()),
        minutes=float(outcome.minutes[plan].sum(axis=1).mean()),
        met=float(outcome.met[plan].mean()),
        remembered=float(outcome.remembered[plan].mean()),
        waiting=float(outcome.waiting[plan].mean()),
        out_of_time=float(outcome.out_of_time[plan].mean()),
    )
