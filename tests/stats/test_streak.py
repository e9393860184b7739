"""A streak: days in a row, of which two a month may be missed."""

from hypothesis import given
from hypothesis import strategies as st

from quizzer.stats.streak import FORGIVEN, MONTH, Streak, streak

TODAY = 740_000
DAYS = st.sets(st.integers(TODAY - 90, TODAY), max_size=91)


def forgivable(reviewed: set[int], first: int, last: int) -> bool:
    """Whether each month within these days has few enough missed ones, month by month."""
    missed = {day for day in range(first, last + 1) if day not in reviewed}
    return all(
        sum(day in missed for day in range(start, start + MONTH)) <= FORGIVEN
        for start in range(first, last + 1)
    )


def test_two_missed_days_are_forgiven_and_the_third_within_a_month_is_not() -> None:
    reviewed = {TODAY, TODAY - 2, TODAY - 4}
    assert streak(reviewed, TODAY) == Streak(days=3, missed=2)
    assert streak(reviewed | {TODAY - 6}, TODAY) == Streak(days=3, missed=2)


def test_a_month_later_two_more_are_forgiven() -> None:
    reviewed = set(range(TODAY - 60, TODAY + 1)) - {TODAY - 1, TODAY - 2, TODAY - 31, TODAY - 32}
    assert streak(reviewed, TODAY) == Streak(days=57, missed=4)
    assert streak(reviewed - {TODAY - 30}, TODAY).missed == 2


def test_today_is_not_missed_before_it_is_over() -> None:
    reviewed = {TODAY - 1, TODAY - 2}
    assert streak(reviewed, TODAY) == Streak(days=2)
    assert streak(reviewed, TODAY + 1) == Streak(days=2, missed=1)
    assert streak(reviewed, TODAY + 3) == Streak()


@given(DAYS)
def test_a_streak_is_the_longest_stretch_whose_months_are_all_forgivable(
    reviewed: set[int],
) -> None:
    last = TODAY if TODAY in reviewed else TODAY - 1
    found = [
        sum(first <= day <= last for day in reviewed)
        for first in reviewed
        if first <= last and forgivable(reviewed, first, last)
    ]
    assert streak(reviewed, TODAY).days == max(found, default=0)


@given(DAYS, st.integers(TODAY - 90, TODAY))
def test_one_more_day_never_shortens_a_streak(reviewed: set[int], day: int) -> None:
    assert streak(reviewed | {day}, TODAY).days >= streak(reviewed, TODAY).days


@given(st.integers(0, 90))
def test_without_a_missed_day_a_streak_counts_the_days(days: int) -> None:
    assert streak(range(TODAY - days + 1, TODAY + 1), TODAY) == Streak(days)
