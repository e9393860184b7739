"""What the log says of missed days, and how those to come are spread."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import MORNING, card_text

from quizzer.deck import Deck, load
from quizzer.forecast.habits import habits_in
from quizzer.forecast.study_days import (
    EVERY_DAY,
    LATELY,
    TRUSTED,
    MissedDays,
    StudyDays,
    study_days,
    study_days_in,
)
from quizzer.store import Store
from quizzer.values import Rating, Reset, Review, State, Suspend, study_day

TODAY = study_day(MORNING)
ALWAYS = range(TODAY)
PROPERTY = settings(derandomize=True, deadline=None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "history.db", MORNING) as opened:
        yield opened


@pytest.fixture
def deck(write_deck: Callable[[dict[str, str]], Path]) -> Deck:
    return load((write_deck({f"{card}.md": card_text(card) for card in "ab"}),), None)


def told_by(store: Store, deck: Deck) -> StudyDays:
    return study_days_in(store, deck, store.review_days(), TODAY)


def review(store: Store, ago: int, interval: int, card: str = "a") -> None:
    at = MORNING - timedelta(days=ago)
    fact = Review(card, Rating.GOOD, interval, State.REVIEW)
    store.record(fact, at=at, day=study_day(at))


def test_missed_days_are_those_with_cards_due_and_no_review() -> None:
    reviewed = {TODAY - ago for ago in (20, 18, 17, 4)}
    due = {TODAY - ago for ago in (25, 20, 19, 18, 17, 3, 1)}
    assert study_days(reviewed, due, TODAY) == StudyDays(studied=4, of=7)


def test_who_missed_no_day_is_foretold_to_miss_none() -> None:
    assert study_days(ALWAYS, ALWAYS, TODAY).missed == 0
    assert study_days((), ALWAYS, TODAY) == EVERY_DAY
    assert EVERY_DAY.missed == 0


def test_today_is_no_missed_day_while_it_lasts() -> None:
    for reviewed in ({TODAY - 1}, {TODAY - 1, TODAY}):
        assert study_days(reviewed, range(TODAY + 1), TODAY) == StudyDays(1, 1)


def test_only_the_last_weeks_tell_and_who_comes_back_after_long_begins_anew() -> None:
    assert study_days({TODAY - 400, TODAY - 2}, ALWAYS, TODAY) == StudyDays(1, 2)
    every_other = range(TODAY - 401, TODAY, 2)
    assert study_days(every_other, ALWAYS, TODAY) == StudyDays(LATELY // 2, LATELY - 1)


def test_the_fewer_days_there_are_the_less_a_missed_one_counts() -> None:
    shares = [StudyDays(days // 2, days).missed for days in (2, 10, 30)]
    assert shares == [1 / (2 + TRUSTED), 5 / (10 + TRUSTED), 15 / (30 + TRUSTED)]


def test_a_day_on_which_no_card_was_due_is_not_missed(store: Store, deck: Deck) -> None:
    for ago in (12, 9, 6, 3):
        review(store, ago, 3)
    assert told_by(store, deck) == StudyDays(4, 4)


def test_a_day_on_which_a_card_waited_is_missed(store: Store, deck: Deck) -> None:
    review(store, 12, 3)
    review(store, 7, 4)
    review(store, 7, 60, "b")
    assert told_by(store, deck) == StudyDays(2, 2 + 2 + 3)
    assert habits_in(store, deck, TODAY).study_days == StudyDays(2, 7)


def test_when_a_card_fell_due_is_known_from_a_review_before_the_days_that_count(
    store: Store, deck: Deck
) -> None:
    review(store, 45, 20)
    review(store, 28, 1, "b")
    review(store, 27, 90, "b")
    review(store, 20, 60)
    assert told_by(store, deck) == StudyDays(3, 3 + 5)


def test_a_card_left_in_its_step_waits_the_next_day(store: Store, deck: Deck) -> None:
    review(store, 3, 0)
    assert told_by(store, deck) == StudyDays(1, 3)


def test_what_no_longer_counts_makes_no_day_a_missed_one(store: Store, deck: Deck) -> None:
    review(store, 9, 90, "a")
    for card in ("b", "gone"):
        review(store, 8, 1, card)
    assert told_by(store, deck) == StudyDays(2, 9)
    review(store, 5, 1, "a")
    at, day = MORNING - timedelta(days=4), TODAY - 4
    assert store.undo(at, day)
    store.record(Suspend("b"), at=at, day=day)
    assert told_by(store, deck) == StudyDays(2, 2)


def test_a_card_waits_until_it_is_reset(store: Store, deck: Deck) -> None:
    review(store, 9, 2)
    at = MORNING - timedelta(days=5)
    store.record(Reset("a"), at=at, day=TODAY - 5)
    review(store, 4, 90)
    assert told_by(store, deck) == StudyDays(2, 2 + 2)


@PROPERTY
@given(st.floats(0, 0.95), st.floats(0, 0.999), st.integers(1, 400))
def test_any_span_has_its_share_of_missed_days(share: float, start: float, span: int) -> None:
    days = MissedDays(share, start)
    missed = [days.next() for _ in range(400)]
    for first in (0, 400 - span):
        assert abs(sum(missed[first : first + span]) - share * span) < 1 + 1e-9
