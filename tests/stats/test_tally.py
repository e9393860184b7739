from collections.abc import Iterable
from datetime import date, datetime
from statistics import mean
from typing import Any

import pytest
from forgetting import FORGETFUL
from samples import MORNING

from quizzer.fsrs import step as fsrs
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.stats import tally as tallying
from quizzer.stats.tally import Tally
from quizzer.store import BriefReview, ReviewColumns
from quizzer.values import (
    Attempt,
    Dispute,
    Event,
    Fact,
    Memory,
    Progress,
    Rating,
    State,
    Verdict,
    study_day,
)

TODAY = study_day(MORNING)


def tally(reviews: Iterable[BriefReview], *others: Any, **named: Any) -> Tally:
    return tallying.tally(ReviewColumns.of(reviews), *others, **named)


def event(number: int, fact: Fact) -> Event:
    return Event(f"e{number}", "d", number, MORNING, TODAY, fact)


def review(rating: Rating, state: State = State.REVIEW, days_ago: int = 0) -> BriefReview:
    return BriefReview(0, "a", TODAY - days_ago, rating, state, None)


def memory(due_in: int, at: datetime = MORNING) -> Memory:
    return Memory(State.REVIEW, 5.0, 5.0, at, TODAY - 2, due_in + 2, 1, 0, TODAY - 2)


def test_retention_counts_reviews_of_learned_cards_only() -> None:
    reviews = [
        review(Rating.GOOD, days_ago=30),
        review(Rating.GOOD, days_ago=30),
        review(Rating.AGAIN, State.NEW),
        review(Rating.AGAIN, State.RELEARNING),
        review(Rating.AGAIN),
        review(Rating.HARD),
    ]
    added = tally(reviews, [], [], {}, TODAY)
    assert added.retention_30d and added.retention_all
    assert (added.retention_30d.reviews, added.retention_30d.remembered) == (2, 0.5)
    assert (added.retention_all.reviews, added.retention_all.remembered) == (4, 0.75)


def test_without_reviews_there_is_no_retention() -> None:
    assert tally([], [], [], {}, TODAY).retention_all is None


@pytest.mark.parametrize("parameters", [DEFAULT_PARAMETERS, FORGETFUL])
def test_the_recall_expected_is_that_of_the_model_on_the_day_of_each_review(
    parameters: tuple[float, ...],
) -> None:
    days, state, last, expected = (60, 55, 40, 3), None, TODAY - 60, []
    reviews = []
    for ago in days:
        day = TODAY - ago
        if state:
            expected.append(fsrs.retrievability(state, day - last, parameters))
        reviews.append(review(Rating.GOOD, State.REVIEW if state else State.NEW, ago))
        state, last = fsrs.step(state, Rating.GOOD, day - last, parameters), day
    # Another history between them changes nothing.
    other = BriefReview(1, "b", TODAY - 50, Rating.AGAIN, State.NEW, None)
    added = tally([*reviews[:2], other, *reviews[2:]], [], [], {}, TODAY, parameters)
    assert added.retention_30d and added.retention_all
    assert added.retention_30d.expected == pytest.approx(expected[-1], rel=1e-12)
    assert added.retention_all.expected == pytest.approx(mean(expected), rel=1e-12)


def test_a_missed_day_does_not_break_the_streak() -> None:
    reviews = [review(Rating.GOOD, days_ago=n) for n in (5, 3, 2, 1)]
    assert tally(reviews, [], [], {}, TODAY).streak.days == 4
    assert tally(reviews, [], [], {}, TODAY + 3).streak.days == 0


def test_the_forecast_counts_what_is_overdue_today_and_leaves_suspended_cards_out() -> None:
    progress = {
        "late": Progress(memory(-1)),
        "today": Progress(memory(0)),
        "soon": Progress(memory(2)),
        "gone": Progress(memory(0), suspended=True),
        "far": Progress(memory(99)),
    }
    forecast = tally([], [], [], progress, TODAY, horizon=3).forecast
    assert forecast == {TODAY: 2, TODAY + 1: 0, TODAY + 2: 1, TODAY + 3: 0}


def test_mistakes_are_counted_by_code_and_disputes_are_listed() -> None:
    def attempt(code: str | None) -> Attempt:
        return Attempt("a", "dx", "x", Verdict.WRONG, code)

    wrong = [
        event(1, attempt("sign")),
        event(2, attempt("sign")),
        event(3, attempt(None)),
        event(6, Attempt("a", "dx", "right all the same", Verdict.WRONG, "factor")),
    ]
    disputes = [event(7, Dispute("a", "dx", "right all the same", Verdict.WRONG))]
    added = tally([], wrong, disputes, {}, TODAY)
    assert [(each.code, each.times, each.cards) for each in added.mistakes] == [
        ("sign", 2, ("a",)),
        ("unexplained", 1, ("a",)),
    ]
    assert [disputed.id for disputed in added.disputes] == ["e7"]


def test_retention_is_told_by_week() -> None:
    last_week = [review(Rating.AGAIN, days_ago=7)] * 2
    added = tally([*last_week, review(Rating.GOOD)], [], [], {}, TODAY)
    assert list(added.retention_by_week.values()) == [0.0, 1.0]
    first, second = added.retention_by_week
    assert second - first == 7
    assert date.fromordinal(first).weekday() == 0


def test_time_is_added_up_by_card() -> None:
    timed = review(Rating.GOOD)._replace(seconds=30.0)
    assert tally([timed, timed], [], [], {}, TODAY).seconds == {"a": 60.0}


def test_a_step_is_counted_once_for_each_derivation_that_breaks_at_it() -> None:
    def tried(answer: str, seed: int, step: str | None, name: str = "dx") -> Attempt:
        return Attempt("a", name, answer, Verdict.WRONG, seed=seed, step=step)

    wrong = [
        tried("one", 1, "∂L/∂μ"),
        tried("one", 1, "∂L/∂μ", name="dgamma"),
        tried("two", 2, "∂L/∂μ"),
        tried("three", 3, "∂L/∂σ"),
        tried("four", 4, None),
    ]
    events = [event(number, fact) for number, fact in enumerate(wrong)]
    found = tally([], events, [], {}, TODAY).broken_steps
    assert [(each.step, each.times, each.tries) for each in found] == [
        ("∂L/∂μ", 2, 4),
        ("∂L/∂σ", 1, 4),
    ]
    disputed = event(9, Dispute("a", "dx", "three", Verdict.WRONG))
    assert len(tally([], events, [disputed], {}, TODAY).broken_steps) == 1
