"""What the coming months will ask of the learner, and what another desired retention would change.

Deck, memories, settings and the learner's habits become arrays here; `schedule.simulate` lives
through the days.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from quizzer.deck import Deck, Entry
from quizzer.review import UNSEEN, Memory, Progress, Review, State
from quizzer.schedule.histories import Floats, Ints
from quizzer.schedule.many import NEW, STATES, KnownMemories
from quizzer.schedule.simulate import Cards, Habits, Limit, Outcome, simulate
from quizzer.session.pace import ENOUGH_OF_TYPE, Pace
from quizzer.session.queue import easy_first
from quizzer.session.settings import Settings
from quizzer.store import Done

DAYS = 90
"""Of the forecast."""
YEAR = 365
"""Of the comparison: a new setting reaches a card with its next review, which may be far off."""
RETENTIONS = (0.8, 0.85, 0.9, 0.95)
ROWS = 40_000
"""Cards times plans times runs, about: what is lived through in a second or two."""
MOST_RUNS = 64

USUAL = Habits(
    first=(0.24, 0.094, 0.495, 0.171),
    step=(0.216, 0.064, 0.66, 0.06),
    recalled=(0.0, 0.224, 0.631, 0.145),
)
"""How people rate: the defaults of the simulator of FSRS, from many collections of Anki."""
USUAL_WEIGHT = 50
"""Reviews of his own after which the learner's habits count as much as the usual ones."""


@dataclass(frozen=True, slots=True)
class Coming:
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
    """Those of them that were due then, but over the daily limit."""

    @property
    def minutes_a_day(self) -> float:
        return self.minutes / YEAR


@dataclass(frozen=True, slots=True)
class Ahead:
    """`days` are those of the present settings, `workloads` stand by retention, ascending."""

    days: tuple[Coming, ...]
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
    Courses with a desired retention of their own keep it throughout; exams ahead change nothing.
    """
    entries = _coming(deck, progress)
    cards = _cards(deck, entries, progress, done, pace, settings, today)
    wanted = sorted({*RETENTIONS, settings.desired_retention})
    own = [settings.course(entry.header.course).desired_retention for entry in entries]
    plans = np.array([[one or retention for one in own] for retention in wanted], np.float64)
    runs = min(max(1, ROWS // (max(1, len(entries)) * len(wanted))), MOST_RUNS)
    outcome = simulate(
        cards, plans, settings.policy("", today), habits, today, YEAR, runs, rng, on_day
    )
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
        _step_share(at_first, in_step),
    )


def _mixed(
    counts: Counter[int], usual: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    total = counts.total() + USUAL_WEIGHT
    again, hard, good, easy = (
        (counts[rating] + USUAL_WEIGHT * share) / total
        for rating, share in enumerate(usual, start=1)
    )
    return again, hard, good, easy


def _step_share(at_first: Sequence[float], in_step: Sequence[float]) -> float:
    """The usual time of a repetition in a step over that of any other; 1 if that is not known."""
    if min(len(at_first), len(in_step)) < ENOUGH_OF_TYPE or not median(at_first):
        return USUAL.step_share
    return median(in_step) / median(at_first)


def _coming(deck: Deck, progress: Mapping[str, Progress]) -> list[Entry]:
    """The cards that come some day: those with a memory, then the new ones in their order."""
    known: list[Entry] = []
    new: list[Entry] = []
    for entry in deck.entries:
        found = progress.get(entry.id, UNSEEN)
        if found.suspended:
            continue
        if found.memory:
            known.append(entry)
        elif entry.header.status != "mastered":
            new.append(entry)
    return [*known, *easy_first(new)]


def _cards(
    deck: Deck,
    entries: Sequence[Entry],
    progress: Mapping[str, Progress],
    done: Done,
    pace: Pace,
    settings: Settings,
    today: int,
) -> Cards:
    found = [progress.get(entry.id, UNSEEN) for entry in entries]
    courses = [entry.header.course for entry in entries]

    def limit(general: int, own: Callable[[str], int | None], spent: Collection[str]) -> Limit:
        met = (deck.by_id[card].header.course for card in spent if card in deck.by_id)
        return _limit(courses, general, own, met)

    return Cards(
        known=_known([each.memory for each in found]),
        earliest=np.array([today + (each.buried_on == today) for each in found], np.int64),
        minutes=np.array([pace.minutes(entry) for entry in entries], np.float64),
        reviews=limit(
            settings.reviews_per_day,
            lambda course: settings.course(course).reviews_per_day,
            done.reviews,
        ),
        new=limit(
            settings.new_per_day, lambda course: settings.course(course).new_per_day, done.new
        ),
    )


def _known(memories: Sequence[Memory | None]) -> KnownMemories:
    rows = [
        (STATES[one.state], one.stability, one.difficulty, one.day, one.interval)
        if one
        else (NEW, np.nan, np.nan, 0, 0)
        for one in memories
    ]
    state, stability, difficulty, day, interval = np.array(rows, np.float64).reshape(-1, 5).T
    whole = (column.astype(np.int64) for column in (state, day, interval))
    state_column, day_column, interval_column = whole
    return KnownMemories(state_column, stability, difficulty, day_column, interval_column)


def _limit(
    courses: Sequence[str], general: int, own: Callable[[str], int | None], met: Iterable[str]
) -> Limit:
    """The purses that the queue has: one for each course with a limit of its own, one for all."""
    limits: dict[str | None, int] = {None: general}

    def purse(course: str) -> str | None:
        limit = own(course)
        if limit is None:
            return None
        limits[course.casefold()] = limit
        return course.casefold()

    purses = [purse(course) for course in courses]
    spent = Counter(purse(course) for course in met)
    places = {name: place for place, name in enumerate(limits)}
    per_day = np.array(list(limits.values()), np.int64)
    today = per_day - np.array([spent[name] for name in limits], np.int64)
    return Limit(np.array([places[name] for name in purses], np.int64), per_day, today)


def _days(outcome: Outcome, plan: int, today: int) -> tuple[Coming, ...]:
    reviews, new, minutes = (
        _means(column[plan, :, :DAYS]) for column in (outcome.reviews, outcome.new, outcome.minutes)
    )
    return tuple(
        Coming(today + number, *means)
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
    )
