from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from samples import CHOICE_CARD, DERIVATION_CARD, MORNING, card_text

from quizzer.deck import Deck, load
from quizzer.plan.pace import pace_of
from quizzer.store import Store
from quizzer.values import Form, Rating, Review, State, study_day


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "history.db", MORNING, backups=False) as opened:
        yield opened


@pytest.fixture
def deck(write_deck: Callable[[dict[str, str]], Path]) -> Deck:
    files = {
        "a.md": card_text("a", type_="derivation"),
        "b.md": card_text("b", type_="derivation"),
        "choice.md": CHOICE_CARD,
        "odd.md": CHOICE_CARD.replace("id: choice", "id: odd").replace("multiple_choice", "open"),
        "square.md": DERIVATION_CARD,
        "proof.md": card_text("proof", type_="proof"),
        "talk.md": card_text("talk", type_="an interview"),
    }
    return load((write_deck(files),), None)


def review(store: Store, card: str, *minutes: float | None, state: State = State.REVIEW) -> None:
    for taken in minutes:
        seconds = None if taken is None else 60 * taken
        fact = Review(card, Rating.GOOD, 5, state, seconds=seconds)
        store.record(fact, at=MORNING, day=study_day(MORNING))


def test_without_times_points_count_else_the_type(deck: Deck, store: Store) -> None:
    pace = pace_of(deck, store)
    expected = {"a": 8, "proof": 8, "choice": 1, "odd": 1, "talk": 3, "square": 8}
    assert {card: pace.minutes(deck.by_id[card]) for card in expected} == expected
    assert pace.total([deck.by_id["a"], deck.by_id["choice"]]) == 9


def test_points_are_two_minutes_each(
    write_deck: Callable[[dict[str, str]], Path], store: Store
) -> None:
    files = {
        "six.md": DERIVATION_CARD.replace("(4p)", "(6p)"),
        "one.md": CHOICE_CARD.replace("Which?", "(1p) Which?"),
    }
    deck = load((write_deck(files),), None)
    pace = pace_of(deck, store)
    assert pace.minutes(deck.by_id["square"]) == 12
    assert pace.minutes(deck.by_id["choice"]) == 2


def test_three_times_of_its_own_tell_what_a_card_takes(deck: Deck, store: Store) -> None:
    review(store, "a", 4, 20)
    assert pace_of(deck, store).minutes(deck.by_id["a"]) == 8
    review(store, "a", 5)
    assert pace_of(deck, store).minutes(deck.by_id["a"]) == 5


def test_five_times_of_its_type_tell_what_a_card_takes(deck: Deck, store: Store) -> None:
    review(store, "a", 1, 2)
    review(store, "b", 4, 5)
    assert pace_of(deck, store).minutes(deck.by_id["b"]) == 8
    review(store, "a", 3)
    pace = pace_of(deck, store)
    assert pace.minutes(deck.by_id["b"]) == 3
    assert pace.minutes(deck.by_id["a"]) == 2
    assert pace.minutes(deck.by_id["square"]) == 3
    assert pace.minutes(deck.by_id["proof"]) == 8


def test_steps_untimed_and_undone_reviews_tell_nothing(deck: Deck, store: Store) -> None:
    review(store, "a", 2, 2)
    review(store, "a", 1, state=State.RELEARNING)
    review(store, "a", 1, state=State.LEARNING)
    review(store, "a", None, 2)
    store.undo(MORNING + timedelta(minutes=1), study_day(MORNING))
    assert pace_of(deck, store).minutes(deck.by_id["a"]) == 8


def test_reviews_of_a_card_that_is_gone_harm_nothing(deck: Deck, store: Store) -> None:
    review(store, "gone", 2, 2, 2, 2, 2)
    assert pace_of(deck, store).minutes(deck.by_id["talk"]) == 3


def test_a_short_form_takes_two_minutes_if_the_page_takes_no_less(deck: Deck, store: Store) -> None:
    pace = replace(pace_of(deck, store), form_of=lambda entry: Form.SLIP)
    assert {card: pace.minutes(deck.by_id[card]) for card in ("a", "choice")} == {
        "a": 2,
        "choice": 1,
    }
