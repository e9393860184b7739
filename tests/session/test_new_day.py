"""A session that outlives its study day, as one in a browser does."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from in_turn import InTurn
from samples import NUMBER_CARD, SettableClock, plain_cards

from quizzer.deck import Deck, load
from quizzer.plan.settings import Settings
from quizzer.session.day import ReloadError
from quizzer.store import Store
from quizzer.values import Rating, Review

Start = Callable[..., InTurn]
WriteDeck = Callable[[dict[str, str]], Path]


class Machine:
    """Deck and configuration as they are on the disk; counts how often they were read."""

    def __init__(self, write: WriteDeck) -> None:
        self.write = write
        self.settings = Settings()
        self.fault = ""
        self.read = 0

    def __call__(self) -> tuple[Deck, Settings]:
        self.read += 1
        if self.fault:
            raise ReloadError(self.fault)
        return load((self.write({}),), None), self.settings


@pytest.fixture
def machine(write_deck: WriteDeck) -> Machine:
    return Machine(write_deck)


@pytest.fixture
def evening(clock: SettableClock) -> SettableClock:
    """Half past three in the night: the study day ends in half an hour."""
    clock.now = clock.now.replace(hour=3, minute=30)
    return clock


def good(session: InTurn) -> str:
    turn = session.advance()
    session.reveal()
    session.rate(Rating.GOOD)
    return turn.entry.id


def test_at_four_the_next_day_begins_with_its_own_limits(
    start: Start, evening: SettableClock
) -> None:
    session = start(plain_cards(*"abc"), Settings(new_per_day=1))
    assert good(session) == "a"
    assert session.advance() is None
    evening.forward(minutes=29)
    assert session.advance() is None
    assert session.notices == []
    evening.forward(minutes=1)
    assert good(session) == "b"
    assert session.advance() is None
    assert len(session.notices) == 1


def test_deck_and_settings_are_read_again_once_a_day(
    start: Start, evening: SettableClock, machine: Machine
) -> None:
    session = start(plain_cards("b"), Settings(), reload=machine)
    assert good(session) == "b"
    machine.write(plain_cards("a", "c"))
    machine.settings = Settings(new_per_day=1)
    assert session.advance() is None
    assert machine.read == 0
    evening.forward(hours=1)
    assert good(session) == "a"
    assert session.advance() is None
    assert machine.read == 1
    evening.forward(days=1)
    assert good(session) in ("b", "c")
    assert machine.read == 2


def test_the_turn_in_progress_is_kept_with_its_tries_and_rated_on_the_new_day(
    start: Start, store: Store, evening: SettableClock, machine: Machine
) -> None:
    session = start({"number.md": NUMBER_CARD}, reload=machine)
    turn = session.advance()
    session.answer("7")
    evening.forward(minutes=40)
    tried = session.turn
    assert session.advance() is tried
    assert tried.entry is turn.entry
    session.answer("0.25")
    session.reveal()
    assert session.suggestion() is Rating.HARD
    session.rate(Rating.HARD)
    assert machine.read == 1
    (review,) = store.events(kinds=[Review])
    assert review.day == evening().date().toordinal()


def test_a_card_that_left_the_deck_over_night_can_still_be_rated(
    start: Start, store: Store, evening: SettableClock, machine: Machine, tmp_path: Path
) -> None:
    session = start(plain_cards("a", "b"), reload=machine)
    session.advance()
    (tmp_path / "deck" / "a.md").unlink()
    evening.forward(hours=1)
    session.reveal()
    session.rate(Rating.GOOD)
    assert [event.fact.card for event in store.events(kinds=[Review])] == ["a"]
    assert good(session) == "b"
    assert session.advance() is None


def test_what_was_skipped_yesterday_comes_today(start: Start, evening: SettableClock) -> None:
    session = start(plain_cards("a"))
    session.advance()
    session.skip()
    assert session.advance() is None
    evening.forward(hours=1)
    assert good(session) == "a"


def test_deck_and_settings_stay_where_they_cannot_be_read_again(
    start: Start, evening: SettableClock, machine: Machine
) -> None:
    session = start(plain_cards("a", "b"), Settings(new_per_day=1), reload=machine)
    assert good(session) == "a"
    machine.fault = "config.toml: not TOML"
    evening.forward(hours=1)
    assert good(session) == "b"
    assert session.advance() is None
    assert any("config.toml: not TOML" in notice for notice in session.notices)


def test_the_hour_at_which_the_day_ends_is_the_configured_one(
    start: Start, evening: SettableClock
) -> None:
    session = start(plain_cards("a", "b"), Settings(new_per_day=1, rollover_hour=6))
    assert good(session) == "a"
    evening.forward(hours=2, minutes=29)
    assert session.advance() is None
    evening.forward(minutes=1)
    assert good(session) == "b"


def test_each_day_of_a_long_session_has_its_backup(
    start: Start, store: Store, evening: SettableClock
) -> None:
    session = start(plain_cards("a", "b"), Settings(new_per_day=1))
    good(session)
    before = len(store.backups())
    for _ in range(2):
        evening.now += timedelta(days=1)
        session.advance()
    assert len(store.backups()) == before + 2
