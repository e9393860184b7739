"""What the log adds up to: days, retention, mistakes, forecast. Pure: events in, numbers out."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from quizzer.review import Attempt, Dispute, Event, Progress, Rating, Review, State, Verdict


@dataclass(frozen=True, slots=True)
class Tally:
    """`per_day` and `forecast` count reviews by study day; retention is None without reviews."""

    reviews: int
    streak_days: int
    retention_30d: float | None
    retention_all: float | None
    per_day: Mapping[int, int]
    forecast: Mapping[int, int]
    mistakes: Mapping[str, int]
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
    attempts = [event.fact for event in standing if isinstance(event.fact, Attempt)]
    return Tally(
        reviews=len(reviews),
        streak_days=_streak(per_day, today),
        retention_30d=_retention(fact for day, fact in reviews if day > today - 30),
        retention_all=_retention(fact for _, fact in reviews),
        per_day=dict(sorted(per_day.items())),
        forecast=_forecast(progress.values(), today, horizon),
        mistakes=dict(
            Counter(
                attempt.diagnosis or "unexplained"
                for attempt in attempts
                if attempt.verdict is Verdict.WRONG
            ).most_common()
        ),
        disputes=tuple(event for event in standing if isinstance(event.fact, Dispute)),
    )


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
