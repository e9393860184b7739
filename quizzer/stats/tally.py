"""What the log adds up to: days, retention, mistakes, forecast. Pure: events in, numbers out."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from quizzer.forecast.outcomes import Outcome, outcomes_of
from quizzer.fsrs.step import DEFAULT_PARAMETERS, Parameters
from quizzer.store import BriefReview
from quizzer.values import Attempt, Dispute, Event, Progress

UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A diagnosis code, how often it was made, and on which cards, the worst first."""

    code: str
    times: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BrokenStep:
    """A step at which derivations of a card break: so many of its wrong tries."""

    card: str
    step: str
    times: int
    tries: int


@dataclass(frozen=True, slots=True)
class Retention:
    """Of reviews of learned cards: how many there were, and what share was remembered."""

    reviews: int
    remembered: float
    """True retention, as Anki calls it."""
    expected: float
    """The mean chance of recall that the memory model had given them."""


@dataclass(frozen=True, slots=True)
class Tally:
    """`per_day` and `forecast` count reviews by study day; retention is None without reviews."""

    reviews: int
    streak_days: int
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
    reviews: Sequence[BriefReview],
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
    per_day = Counter(review.day for review in reviews)
    seconds: defaultdict[str, float] = defaultdict(float)
    for review in reviews:
        seconds[review.card] += review.seconds or 0
    undisputed = _undisputed(wrong, disputes)
    learned = outcomes_of(reviews, parameters, {})
    weeks: defaultdict[int, list[Outcome]] = defaultdict(list)
    for one in learned:
        weeks[one.day - date.fromordinal(one.day).weekday()].append(one)
    return Tally(
        reviews=len(reviews),
        streak_days=_streak(per_day, today),
        retention_30d=_retention([one for one in learned if one.day > today - 30]),
        retention_all=_retention(learned),
        retention_by_week={
            monday: sum(one.recalled for one in found) / len(found)
            for monday, found in sorted(weeks.items())
        },
        per_day=dict(sorted(per_day.items())),
        forecast=_forecast(progress.values(), today, horizon),
        stabilities=tuple(
            sorted(known.memory.stability for known in progress.values() if known.memory)
        ),
        seconds=seconds,
        mistakes=_mistakes(undisputed),
        broken_steps=_broken_steps(undisputed),
        disputes=tuple(disputes),
    )


def _retention(learned: Sequence[Outcome]) -> Retention | None:
    if not learned:
        return None
    count = len(learned)
    return Retention(
        count,
        sum(one.recalled for one in learned) / count,
        sum(one.recall for one in learned) / count,
    )


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


def _streak(per_day: Mapping[int, int], today: int) -> int:
    """Days in a row with reviews up to today; a day that is not over yet does not break it."""
    day = today if today in per_day else today - 1
    length = 0
    while day - length in per_day:
        length += 1
    return length


def _forecast(progress: Iterable[Progress], today: int, horizon: int) -> dict[int, int]:
    """Cards due each day as things stand, what is overdue counted today."""
    due = Counter(
        max(today, known.memory.due_day)
        for known in progress
        if known.memory and not known.suspended
    )
    return {day: due[day] for day in range(today, today + horizon + 1)}
