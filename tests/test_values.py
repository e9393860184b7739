from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from quizzer.values import (
    UNSEEN,
    Memory,
    Progress,
    Rating,
    State,
    start_of_day,
    study_day,
)

EAST = timezone(timedelta(hours=9))
WEST = timezone(timedelta(hours=-8))
AT = datetime(2026, 5, 4, 20, 0, tzinfo=EAST)
DAY = study_day(AT)


def memory(interval: int, state: State = State.REVIEW) -> Memory:
    return Memory(state, 3.0, 5.0, AT, DAY, interval, 1, 0, DAY)


def test_ratings_are_numbered_as_fsrs_numbers_them() -> None:
    assert [(rating.label, int(rating)) for rating in Rating] == [
        ("again", 1),
        ("hard", 2),
        ("good", 3),
        ("easy", 4),
    ]


@pytest.mark.parametrize(("hour", "expected"), [(0, 3), (3, 3), (4, 4), (23, 4)])
def test_the_hours_before_four_belong_to_the_day_before(hour: int, expected: int) -> None:
    at = datetime(2026, 5, 4, hour, 59, tzinfo=EAST)
    assert study_day(at) == datetime(2026, 5, expected).toordinal()


def test_the_study_day_is_that_of_the_learners_zone() -> None:
    instant = datetime(2026, 5, 4, 20, 0, tzinfo=UTC)
    assert study_day(instant.astimezone(EAST)) == study_day(instant.astimezone(WEST)) + 1


def test_a_rollover_of_zero_makes_the_study_day_the_date() -> None:
    assert study_day(datetime(2026, 5, 4, 0, 0, tzinfo=EAST), rollover=0) == DAY


def test_a_day_begins_at_four_in_the_present_zone() -> None:
    assert start_of_day(DAY, AT) == datetime(2026, 5, 4, 4, 0, tzinfo=EAST)
    assert study_day(start_of_day(DAY, AT)) == DAY
    assert study_day(start_of_day(DAY, AT) - timedelta(seconds=1)) == DAY - 1


def test_a_day_begins_at_four_although_the_clocks_change() -> None:
    zone = ZoneInfo("Europe/Berlin")
    now = datetime(2026, 3, 28, 12, 0, tzinfo=zone)
    assert start_of_day(study_day(now) + 1, now).hour == 4


def test_a_card_in_review_is_due_from_the_start_of_its_day() -> None:
    card = memory(interval=3)
    due = card.due_at(AT)
    assert due == datetime(2026, 5, 7, 4, 0, tzinfo=EAST)
    assert card.is_due(due, study_day(due))
    before = due - timedelta(minutes=1)
    assert not card.is_due(before, study_day(before))


def test_a_card_in_its_step_is_due_after_ten_minutes() -> None:
    card = memory(interval=0, state=State.LEARNING)
    due = card.due_at(AT)
    assert due == AT + timedelta(minutes=10)
    assert card.is_due(due, DAY)
    assert not card.is_due(due - timedelta(seconds=1), DAY)


def test_a_card_in_its_step_is_due_on_the_next_day_although_the_clock_went_back() -> None:
    card = memory(interval=0, state=State.RELEARNING)
    assert card.is_due(AT - timedelta(hours=1), DAY + 1)


def test_the_due_instant_is_told_in_the_present_zone() -> None:
    card = memory(interval=0)
    assert card.due_at(AT.astimezone(WEST)).tzinfo == WEST


def test_a_card_is_new_until_it_is_remembered_and_suspension_comes_before_all() -> None:
    assert UNSEEN.state is State.NEW
    assert Progress(memory(3)).state is State.REVIEW
    assert Progress(memory(3), suspended=True).state is State.SUSPENDED
    assert Progress(suspended=True).state is State.SUSPENDED
