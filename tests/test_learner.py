"""Two weeks and more at the real program: nothing is lost, every card comes on its day."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from learner import Learner, Plan, Stop, open_store, standing
from samples import CHOICE_CARD, NUMBER_CARD, card_text

from quizzer.deck import starter_deck
from quizzer.store.fold import fold
from quizzer.values import Bury, Dispute, Flag, Suspend

FIRST = date(2026, 11, 20)
DAYS = 16
INTRODUCING = 7
"""Days on which new cards come, however large the starter deck has grown."""
OWN_DECK = {
    "choice.md": CHOICE_CARD,
    "number.md": NUMBER_CARD,
    "letters.md": card_text(
        "letters",
        type_="multiple_choice",
        question="Which are primes?\n\n## Options\nA) 2\nB) 3\nC) 4\nD) 5",
        solution="**Correct Answer:** A, B, D",
    ),
    "words.md": card_text("words", solution="**Short Answer:** A row.\n\n## Explanation\nOr not."),
    "proof.md": card_text("proof", type_="proof", question="Why?", solution="By induction."),
}
STOPS = {
    2: Stop.CTRL_C,
    4: Stop.KILL,
    7: Stop.CTRL_D,
    9: Stop.KILL_AT_RATING,
    12: Stop.KILL,
    14: Stop.KILL_AT_RATING,
}
MISSED = (5, 6, 11)
ABROAD = range(8, 12)
NIGHT = 13


@pytest.mark.slow
def test_weeks_of_interrupted_reviews_lose_nothing_and_ask_each_card_on_its_day(
    tmp_path: Path, write_deck: Callable[[dict[str, str]], Path]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    learner = Learner(home, [write_deck(OWN_DECK), starter_deck()], seed=9)
    for number in range(DAYS):
        day = FIRST + timedelta(number)
        new = 2 if number < INTRODUCING else 0
        zone = "-08:00" if number in ABROAD else "+01:00"
        if number not in MISSED:
            learner.sit(f"{day}T09:00:00{zone}", day, new, STOPS.get(number))
        if number == NIGHT:
            learner.sit(f"{day + timedelta(1)}T01:30:00{zone}", day, new)
        if number % 10 == 9 and learner.suspended:
            learner.run(day, "unsuspend", *sorted(learner.suspended))
            learner.suspended.clear()

    assert learner.used == set(Plan)
    the_log_holds_the_book(learner)
    the_store_is_whole(learner, FIRST + timedelta(DAYS))
    tomorrow_the_right_cards_are_due(learner, FIRST + timedelta(DAYS))


def the_log_holds_the_book(learner: Learner) -> None:
    logged = [
        (event.fact.card, event.fact.rating.label, date.fromordinal(event.day))
        for event in standing(learner.home)
    ]
    assert logged == [(saved.card, saved.rating, saved.day) for saved in learner.book]
    with open_store(learner.home) as store:
        facts = [event.fact for event in store.events()]
        progress = store.progress()
    assert {Bury, Dispute, Flag, Suspend} <= {type(fact) for fact in facts}
    assert {card for card, known in progress.items() if known.suspended} == learner.suspended
    assert {card for card, known in progress.items() if known.flagged} == learner.flagged


def the_store_is_whole(learner: Learner, day: date) -> None:
    with open_store(learner.home) as store:
        assert store.check() == []
        assert fold(store.events(), store.undone_ids()) == store.progress()
        events = len(store.events())
    assert f"{events} events" in learner.run(day, "doctor")


def tomorrow_the_right_cards_are_due(learner: Learner, day: date) -> None:
    document = json.loads(learner.run(day, "due", "--json"))
    assert {row["id"] for row in document["due"]} == learner.due(day)
