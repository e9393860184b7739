"""What the log adds up to: days, retention, mistakes, forecast. Pure: events in, numbers out."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from quizzer.review import Attempt, Dispute, Event, Progress, Rating, Review, State, Verdict

UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A diagnosis code, how often it was made, and on which cards, the worst first."""

    code: str
    times: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """`per_day` and `forecast` count reviews by study day; retention is None without reviews."""

    reviews: int
    streak_days: int
    retention_30d: float | None
    retention_all: float | None
    retention_by_week: Mapping[int, float]
    """By the week's Monday; weeks without reviews of learned cards are left out."""
    per_day: Mapping[int, int]
    forecast: Mapping[int, int]
    stabilities: tuple[float, ...]
    """In days, of every card that has a memory, ascending."""
    seconds: Mapping[str, float]
    """Time spent on each card."""
    mistakes: tuple[Mistake, ...]
    """The most frequent first."""
    disputes: tuple[Event, ...]


def tally(
    events: Iterable[Event],
    undone: Collection[str],
    progress: Mapping[str, Progress],
    today: int,
    horizon: int = 30,
) -> Tally:
    """Add up the events that stand; the forecast covers today and `horizon` days after."""
    standing = [event for event in events if event.id not in undone]
    reviews = [(event.day, event.fact) for event in standing if isinstance(event.fact, Review)]
    per_day = Counter(day for day, _ in reviews)
    weeks = defaultdict(list)
    for day, review in reviews:
        weeks[day - date.fromordinal(day).weekday()].append(review)
    seconds: defaultdict[str, float] = defaultdict(float)
    for _, review in reviews:
        seconds[review.card] += review.seconds or 0
    return Tally(
        reviews=len(reviews),
        streak_days=_streak(per_day, today),
        retention_30d=_retention(review for day, review in reviews if day > today - 30),
        retention_all=_retention(review for _, review in reviews),
        retention_by_week={
            monday: share
            for monday, found in sorted(weeks.items())
            if (share := _retention(found)) is not None
        },
        per_day=dict(sorted(per_day.items())),
        forecast=_forecast(progress.values(), today, horizon),
        stabilities=tuple(
            sorted(known.memory.stability for known in progress.values() if known.memory)
        ),
        seconds=seconds,
        mistakes=_mistakes(
            [event.fact for event in standing if isinstance(event.fact, Attempt)],
            [event.fact for event in standing if isinstance(event.fact, Dispute)],
        ),
        disputes=tuple(event for event in standing if isinstance(event.fact, Dispute)),
    )


def _mistakes(attempts: Iterable[Attempt], disputes: Iterable[Dispute]) -> tuple[Mistake, ...]:
    """Wrong answers by their diagnosis, but for those whose verdict he disputes."""
    disputed = {(dispute.card, dispute.name, dispute.answer) for dispute in disputes}
    cards: dict[str, Counter[str]] = defaultdict(Counter)
    for attempt in attempts:
        key = (attempt.card, attempt.name, attempt.answer)
        if attempt.verdict is Verdict.WRONG and key not in disputed:
            cards[attempt.diagnosis or UNEXPLAINED][attempt.card] += 1
    found = [
        Mistake(code, made.total(), tuple(card for card, _ in made.most_common()))
        for code, made in cards.items()
    ]
    return tuple(sorted(found, key=lambda mistake: -mistake.times))


def _streak(per_day: Mapping[int, int], today: int) -> int:
    """Days in a row with reviews up to today; a day that is not over yet does not break it."""
    day = today if today in per_day else today - 1
    length = 0
    while day - length in per_day:
        length += 1
    return length


def _retention(reviews: Iterable[Review]) -> float | None:
    """The share of reviews of learned cards that were remembered: true retention as in Anki."""
    ratings = [review.rating for review in reviews if review.state is State.REVIEW]
    if not ratings:
        return None
    return sum(rating is not Rating.AGAIN for rating in ratings) / len(ratings)


def _forecast(progress: Iterable[Progress], today: int, horizon: int) -> dict[int, int]:
    """Cards due each day as things stand, what is overdue counted today."""
    due = Counter(
        max(today, known.memory.due_day)
        for known in progress
        if known.memory and not known.suspended
    )
    return {day: due[day] for day in range(today, today + horizon + 1)}
