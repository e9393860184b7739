from dataclasses import replace
from datetime import date, datetime, timedelta

from samples import MORNING

from quizzer.review import (
    Attempt,
    Dispute,
    Event,
    Fact,
    Memory,
    Progress,
    Rating,
    Review,
    State,
    Verdict,
    study_day,
)
from quizzer.session.tally import tally

TODAY = study_day(MORNING)


def event(number: int, fact: Fact, days_ago: int = 0) -> Event:
    at = MORNING - timedelta(days=days_ago)
    return Event(f"e{number}", "d", number, at, TODAY - days_ago, fact)


def review(rating: Rating, state: State = State.REVIEW) -> Review:
    return Review("a", rating, 3, state)


def memory(due_in: int, at: datetime = MORNING) -> Memory:
    return Memory(State.REVIEW, 5.0, 5.0, at, TODAY - 2, due_in + 2, 1, 0, TODAY - 2)


def test_undone_reviews_do_not_count() -> None:
    events = [event(1, review(Rating.GOOD)), event(2, review(Rating.GOOD))]
    assert tally(events, {"e2"}, {}, TODAY).reviews == 1


def test_retention_counts_reviews_of_learned_cards_only() -> None:
    events = [
        event(1, review(Rating.AGAIN, State.NEW)),
        event(2, review(Rating.AGAIN, State.RELEARNING)),
        event(3, review(Rating.AGAIN)),
        event(4, review(Rating.HARD)),
        event(5, review(Rating.GOOD), days_ago=30),
        event(6, review(Rating.GOOD), days_ago=30),
    ]
    added = tally(events, (), {}, TODAY)
    assert (added.retention_30d, added.retention_all) == (0.5, 0.75)


def test_without_reviews_there_is_no_retention() -> None:
    assert tally([], (), {}, TODAY).retention_all is None


def test_a_streak_is_not_broken_by_a_day_that_is_not_over() -> None:
    days = [1, 2, 3, 5]
    events = [event(n, review(Rating.GOOD), days_ago=n) for n in days]
    assert tally(events, (), {}, TODAY).streak_days == 3
    assert tally([*events, event(9, review(Rating.GOOD))], (), {}, TODAY).streak_days == 4
    assert tally(events, (), {}, TODAY + 1).streak_days == 0


def test_the_forecast_counts_what_is_overdue_today_and_leaves_suspended_cards_out() -> None:
    progress = {
        "late": Progress(memory(-1)),
        "today": Progress(memory(0)),
        "soon": Progress(memory(2)),
        "gone": Progress(memory(0), suspended=True),
        "far": Progress(memory(99)),
    }
    forecast = tally([], (), progress, TODAY, horizon=3).forecast
    assert forecast == {TODAY: 2, TODAY + 1: 0, TODAY + 2: 1, TODAY + 3: 0}


def test_mistakes_are_counted_by_code_and_disputes_are_listed() -> None:
    def attempt(verdict: Verdict, code: str | None) -> Attempt:
        return Attempt("a", "dx", "x", verdict, code)

    events = [
        event(1, attempt(Verdict.WRONG, "sign")),
        event(2, attempt(Verdict.WRONG, "sign")),
        event(3, attempt(Verdict.WRONG, None)),
        event(4, attempt(Verdict.CORRECT, "ties")),
        event(5, attempt(Verdict.INVALID, None)),
        event(6, Attempt("a", "dx", "right all the same", Verdict.WRONG, "factor")),
        event(7, Dispute("a", "dx", "right all the same", Verdict.WRONG)),
    ]
    added = tally(events, (), {}, TODAY)
    assert [(each.code, each.times, each.cards) for each in added.mistakes] == [
        ("sign", 2, ("a",)),
        ("unexplained", 1, ("a",)),
    ]
    assert [disputed.id for disputed in added.disputes] == ["e7"]


def test_retention_is_told_by_week() -> None:
    last_week = [event(n, review(Rating.AGAIN), days_ago=7) for n in range(2)]
    added = tally([*last_week, event(3, review(Rating.GOOD))], (), {}, TODAY)
    assert list(added.retention_by_week.values()) == [0.0, 1.0]
    first, second = added.retention_by_week
    assert second - first == 7
    assert date.fromordinal(first).weekday() == 0


def test_time_is_added_up_by_card() -> None:
    timed = replace(review(Rating.GOOD), seconds=30.0)
    assert tally([event(1, timed), event(2, timed)], (), {}, TODAY).seconds == {"a": 60.0}
