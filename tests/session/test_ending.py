"""The end of a day: what got better, what tomorrow brings, the streak, and how it is said."""

import dataclasses
from collections.abc import Callable

import pytest
from form.sheets import SIGMOID
from in_turn import InTurn
from msgspec.structs import replace
from samples import CHOICE_CARD, SettableClock, plain_cards

from quizzer.plan.forms import ALL
from quizzer.plan.settings import Settings
from quizzer.session import ending
from quizzer.session.better import Better, Gain
from quizzer.session.summary import Summary
from quizzer.stats.streak import Streak
from quizzer.store import Store
from quizzer.values import Form, Rating, Reset

Start = Callable[..., InTurn]
ENDED = Summary(
    asked=2,
    rated=2,
    cards=2,
    seconds=600,
    retention=None,
    tomorrow=3,
    waiting=0,
    left=0,
    left_minutes=0,
    beyond=0,
)


def rate(session: InTurn, rating: Rating) -> None:
    assert session.turn or session.advance()
    session.reveal()
    session.rate(rating)


def better(session: InTurn) -> list[tuple[str, Gain, int]]:
    return [(each.entry.id, each.gain, each.days) for each in session.summary().better]


def test_a_card_is_right_from_a_blank_page_for_the_first_time_once(
    start: Start, clock: SettableClock, store: Store
) -> None:
    files = plain_cards("a")
    for rating, gains in (
        (Rating.HARD, []),
        (Rating.GOOD, [("a", Gain.FROM_BLANK, 0)]),
        (Rating.GOOD, []),
    ):
        session = start(files, ahead=60)
        rate(session, rating)
        assert better(session) == gains
        clock.forward(days=1)
    store.record(Reset("a"), at=clock(), day=clock().toordinal())
    session = start(files)
    rate(session, Rating.EASY)
    assert better(session) == [("a", Gain.FROM_BLANK, 0)]


def test_what_was_read_before_on_the_same_day_is_not_right_from_a_blank_page(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards("a")
    session = start(files)
    rate(session, Rating.AGAIN)
    clock.forward(minutes=11)
    rate(session, Rating.GOOD)
    assert better(session) == []
    clock.forward(days=3)
    later = start(files)
    rate(later, Rating.GOOD)
    assert better(later) == [("a", Gain.FROM_BLANK, 0)]


def test_a_short_form_and_a_choice_are_no_blank_page(start: Start) -> None:
    short = start({"gate.md": SIGMOID}, Settings(forms=ALL), form=Form.WORKED)
    rate(short, Rating.GOOD)
    assert better(short) == []
    chosen = start({"choice.md": CHOICE_CARD})
    rate(chosen, Rating.GOOD)
    assert better(chosen) == []


def test_a_card_was_never_remembered_for_so_long(start: Start, clock: SettableClock) -> None:
    files = plain_cards("a")
    rate(start(files), Rating.GOOD)
    for days, rating, gains in (
        (6, Rating.GOOD, []),
        (20, Rating.GOOD, [("a", Gain.LONGER, 20)]),
        (20, Rating.GOOD, []),
        (90, Rating.AGAIN, []),
    ):
        clock.forward(days=days)
        session = start(files, ahead=60)
        rate(session, rating)
        assert better(session) == gains


def test_what_was_taken_back_did_not_get_better(start: Start) -> None:
    session = start(plain_cards("a"))
    rate(session, Rating.GOOD)
    session.undo()
    rate(session, Rating.AGAIN)
    assert better(session) == []


def test_tomorrow_brings_what_its_limits_allow(start: Start, clock: SettableClock) -> None:
    session = start(plain_cards(*"abcdefg"), Settings(new_per_day=2, minutes_per_day=8))
    rate(session, Rating.AGAIN)
    summary = session.summary()
    assert (summary.tomorrow, summary.tomorrow_new, summary.tomorrow_minutes) == (1, 2, 9)


def test_the_streak_goes_on_over_a_missed_day(start: Start, clock: SettableClock) -> None:
    files = plain_cards(*"ab")
    rate(start(files, limit=1), Rating.GOOD)
    clock.forward(days=2)
    session = start(files)
    assert session.summary().streak == Streak(1, 1)
    rate(session, Rating.GOOD)
    assert session.summary().streak == Streak(2, 1)
    session.undo()
    assert session.summary().streak == Streak(1, 1)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Streak(), ""),
        (Streak(1), "1 day in a row"),
        (Streak(4), "4 days in a row"),
        (Streak(12, 2), "a streak of 12 days, with 2 missed and forgiven"),
    ],
)
def test_a_streak_says_what_was_forgiven(found: Streak, said: str) -> None:
    assert ending.streak(found) == said


def test_the_end_names_the_first_few_cards_that_got_better(start: Start) -> None:
    session = start(plain_cards(*"abcde"))
    for _ in "abcde":
        rate(session, Rating.GOOD)
    told = tuple(ending.summary(session.summary()))
    assert any(
        line.startswith("Right from a blank page for the first time: ")
        and line.endswith(" and 2 more.")
        for line in told
    )


def test_the_end_says_how_long_a_card_was_remembered_and_what_comes(start: Start) -> None:
    session = start(plain_cards("a"))
    rate(session, Rating.GOOD)
    (first,) = session.summary().better
    longer = Better(dataclasses.replace(first.entry, title="Batch norm"), Gain.LONGER, 31)
    ended = replace(
        ENDED, better=(longer,), tomorrow_new=2, tomorrow_minutes=14, streak=Streak(9, 1)
    )
    assert tuple(ending.summary(ended))[1:] == (
        "Remembered for longer than ever before: Batch norm (31 days).",
        "Tomorrow: 3 cards due, 2 new, about 14 min.",
        "A streak of 9 days, with 1 missed and forgiven.",
    )
