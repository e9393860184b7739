"""What the log adds up to: days, retention, mistakes, forecast. Pure: events in, numbers out."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from quizzer.forecast.outcomes import foretold
from quizzer.fsrs.step import DEFAULT_PARAMETERS, Parameters
from quizzer.stats.streak import Streak, streak
from quizzer.store import ReviewColumns
from quizzer.values import Attempt, Dispute, Event, Progress, Rating

if TYPE_CHECKING:
    from quizzer.fsrs.histories import Bools, Floats, Ints

UNEXPLAINED = "unexplained"


class Mistake(Struct, frozen=True):
    """A diagnosis code, how often it was made, and on which cards, the worst first."""

    code: str
    times: int
    cards: tuple[str, ...]


class BrokenStep(Struct, frozen=True):
    """A step at which derivations of a card break: so many of its wrong tries."""

    card: str
    step: str
    times: int
    tries: int


class Retention(Struct, frozen=True):
    """Of reviews of learned cards: how many there were, and what share was remembered."""

    reviews: int
    remembered: float
    """True retention, as Anki calls it."""
    expected: float
    """The mean chance of recall that the memory model had given them."""


class Tally(Struct, frozen=True):
    """`per_day` and `forecast` count reviews by study day; retention is None without reviews."""

    reviews: int
    streak: Streak
    retention_30d: Retention | None
    retention_all: Retention | None
    retention_by_week: Mapping[int, float]
    """The share remembered by the week's Monday; weeks without learned cards are left out."""
    per_day: Mapping[int, int]
    forecast: Mapping[int, int]
    stabilities: tuple[float, ...]
    """In days, of every card that has a memory, ascending."""
    seconds: Mapping[str, float]
    """Time spent on each card."""
    mistakes: tuple[Mistake, ...]
    """The most frequent first."""
    broken_steps: tuple[BrokenStep, ...]
    """The most frequent first."""
    disputes: tuple[Event, ...]


def tally(
    reviews: ReviewColumns,
    wrong: Sequence[Event],
    disputes: Sequence[Event],
    progress: Mapping[str, Progress],
    today: int,
    parameters: Parameters = DEFAULT_PARAMETERS,
    horizon: int = 30,
) -> Tally:
    """Add up what stands of the log; the forecast covers today and `horizon` days after.

    `wrong`: the attempts that were; `parameters`: those of memory.
    """
    per_day = _per_day(reviews)
    undisputed = _undisputed(wrong, disputes)
    learned = _learned(reviews, parameters)
    return Tally(
        reviews=len(reviews),
        streak=streak(per_day, today),
        retention_30d=_retention(learned, since=today - 29),
        retention_all=_retention(learned),
        retention_by_week=_by_week(learned),
        per_day=per_day,
        forecast=_forecast(progress.values(), today, horizon),
        stabilities=tuple(
            sorted(known.memory.stability for known in progress.values() if known.memory)
        ),
        seconds=_seconds(reviews),
        mistakes=_mistakes(undisputed),
        broken_steps=_broken_steps(undisputed),
        disputes=tuple(disputes),
    )


class _Learned(NamedTuple):
    """The reviews of learned cards of which something was foretold; a column each."""

    day: "Ints"
    recall: "Floats"
    recalled: "Bools"


def _learned(reviews: ReviewColumns, parameters: Parameters) -> _Learned | None:
    told = foretold(reviews, parameters)
    if told is None or not len(told.place):
        return None
    import numpy as np

    day = np.frombuffer(reviews.day, np.int64)[told.place]
    rating = np.frombuffer(reviews.rating, np.int8)[told.place]
    return _Learned(day, told.recall, rating != Rating.AGAIN)


def _retention(learned: _Learned | None, since: int = 0) -> Retention | None:
    if learned is None:
        return None
    meant = learned.day >= since
    count = int(meant.sum())
    if not count:
        return None
    recall, recalled = learned.recall[meant], learned.recalled[meant]
    return Retention(count, int(recalled.sum()) / count, float(recall.sum()) / count)


def _by_week(learned: _Learned | None) -> dict[int, float]:
    if learned is None:
        return {}
    import numpy as np

    weeks = (learned.day - 1) // 7  # study day 1 was a Monday
    first = int(weeks.min())
    weeks -= first
    reviews, recalled = np.bincount(weeks), np.bincount(weeks, learned.recalled)
    return {
        (first + week) * 7 + 1: float(recalled[week] / reviews[week])
        for week in np.flatnonzero(reviews).tolist()
    }


def _per_day(reviews: ReviewColumns) -> dict[int, int]:
    if not len(reviews):
        return {}
    import numpy as np

    day = np.frombuffer(reviews.day, np.int64)
    first = int(day.min())
    counts = np.bincount(day - first)
    return {first + at: int(counts[at]) for at in np.flatnonzero(counts).tolist()}


def _seconds(reviews: ReviewColumns) -> dict[str, float]:
    """The time spent on each card."""
    if not len(reviews):
        return {}
    import numpy as np

    history = np.frombuffer(reviews.history, np.int64)
    known = np.nan_to_num(np.frombuffer(reviews.seconds))
    spent = np.bincount(history, known, len(reviews.cards)).tolist()
    found: defaultdict[str, float] = defaultdict(float)
    for card, seconds in zip(reviews.cards, spent, strict=True):
        found[card] += seconds
    return found


def _undisputed(wrong: Iterable[Event], disputes: Iterable[Event]) -> list[Attempt]:
    """Wrong answers, but for those whose verdict they dispute."""
    disputed = {
        (fact.card, fact.name, fact.answer)
        for event in disputes
        if isinstance(fact := event.fact, Dispute)
    }
    return [
        fact
        for event in wrong
        if isinstance(fact := event.fact, Attempt)
        and (fact.card, fact.name, fact.answer) not in disputed
    ]


def _mistakes(wrong: Iterable[Attempt]) -> tuple[Mistake, ...]:
    """Wrong answers by their diagnosis."""
    cards: dict[str, Counter[str]] = defaultdict(Counter)
    for fact in wrong:
        cards[fact.diagnosis or UNEXPLAINED][fact.card] += 1
    found = [
        Mistake(code, made.total(), tuple(card for card, _ in made.most_common()))
        for code, made in cards.items()
    ]
    return tuple(sorted(found, key=lambda mistake: -mistake.times))


def _broken_steps(wrong: Iterable[Attempt]) -> tuple[BrokenStep, ...]:
    """The steps of wrong derivations; a text that answers several names at once is one try."""
    tries = {(fact.card, fact.answer, fact.seed): fact.step for fact in wrong}
    every = Counter(card for card, _, _ in tries)
    broken = Counter((card, step) for (card, _, _), step in tries.items() if step)
    return tuple(
        BrokenStep(card, step, times, every[card]) for (card, step), times in broken.most_common()
    )


def _forecast(progress: Iterable[Progress], today: int, horizon: int) -> dict[int, int]:
    """Cards due each day as things stand, what is overdue counted today."""
    due = Counter(
        max(today, known.memory.due_day)
        for known in progress
        if known.memory and not known.suspended
    )
    return {day: due[day] for day in range(today, today + horizon + 1)}
