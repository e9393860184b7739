"""Who walks away from a card is not thinking about it."""

from collections.abc import Callable

import pytest
from in_turn import InTurn
from samples import CHECKER, DERIVATION_CARD, NUMBER_CARD, SettableClock, plain_cards

from quizzer.plan.settings import Settings
from quizzer.store import Store
from quizzer.values import Attempt, Rating, Review, study_day

Start = Callable[..., InTurn]
SQUARE = {"square.md": DERIVATION_CARD, "square.py": CHECKER}


def seconds(store: Store, kind: type[Attempt | Review]) -> list[float | None]:
    return [event.fact.seconds for event in store.events(kinds=[kind])]


def test_an_hour_away_counts_as_the_idle_minutes_in_review_attempt_and_day(
    start: Start, store: Store, clock: SettableClock
) -> None:
    session = start({"a.md": NUMBER_CARD})
    session.advance()
    clock.forward(hours=1)
    session.answer("0.25")
    session.reveal()
    assert session.rate(Rating.GOOD).seconds == 20 * 60
    assert seconds(store, Attempt) == seconds(store, Review) == [20 * 60]
    assert store.done(study_day(clock())).seconds == 20 * 60


@pytest.mark.parametrize(("away", "counted"), [(9, 9), (10, 10), (11, 10)])
def test_idle_minutes_can_be_set_and_what_is_shorter_counts_as_it_is(
    start: Start, store: Store, clock: SettableClock, away: int, counted: int
) -> None:
    session = start({"a.md": NUMBER_CARD}, Settings(idle_minutes=10))
    session.advance()
    clock.forward(minutes=away)
    session.reveal()
    session.rate(Rating.GOOD)
    assert seconds(store, Review) == [counted * 60]


def test_long_work_with_actions_in_between_counts_in_full(
    start: Start, store: Store, clock: SettableClock
) -> None:
    session = start(SQUARE)
    session.advance()
    clock.forward(minutes=15)
    session.answer("2 * x")
    clock.forward(minutes=15)
    session.hint()
    clock.forward(minutes=15)
    session.answer("2 * x * dy")
    session.reveal()
    clock.forward(minutes=15)
    session.rate(Rating.AGAIN)
    assert seconds(store, Attempt) == [15 * 60, 45 * 60]
    assert seconds(store, Review) == [45 * 60]


def test_the_card_that_an_undo_interrupts_does_not_count_the_interruption(
    start: Start, store: Store, clock: SettableClock
) -> None:
    session = start(plain_cards("a", "b"))
    session.advance()
    session.reveal()
    session.rate(Rating.GOOD)
    session.advance()
    clock.forward(minutes=2)
    session.undo()
    clock.forward(minutes=7)
    session.rate(Rating.EASY)
    session.advance()
    clock.forward(minutes=1)
    session.reveal()
    assert session.turn.entry.id == "b"
    assert session.rate(Rating.GOOD).seconds == 180


def test_a_clock_that_goes_back_takes_no_time_away(start: Start, clock: SettableClock) -> None:
    session = start({"a.md": NUMBER_CARD})
    session.advance()
    clock.forward(minutes=3)
    session.answer("7")
    clock.forward(minutes=-60)
    session.answer("8")
    clock.forward(minutes=2)
    session.answer("0.25")
    assert session.rate(Rating.AGAIN).seconds == 300
