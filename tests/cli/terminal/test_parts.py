"""Which keys `?` lists: those that do something at the moment."""

from pathlib import Path

import pytest
from samples import card_text

from quizzer.card import parse
from quizzer.cli.terminal.parts import keys_for
from quizzer.deck import Asking, Entry
from quizzer.session.given import CHOICE
from quizzer.session.moves import Revealed
from quizzer.session.short_form import ShortForm
from quizzer.session.turn import Part, Turn
from quizzer.values import Form


@pytest.fixture
def turn() -> Turn:
    card = parse(card_text("c").encode(), Path("c.md")).card
    assert card
    return Turn(Entry(Path("c.md"), Path(), card.header, Asking.REVEAL), card, hints=("a", "b"))


def enter(turn: Turn) -> str:
    return next((does for keys, does in keys_for(turn) if keys.startswith("Enter")), "")


def test_enter_goes_on_sends_or_rates(turn: Turn) -> None:
    worked = Turn(turn.entry, turn.card, hints=turn.hints, short=ShortForm(Form.WORKED))
    asked = Turn(turn.entry, turn.card, parts=(Part(CHOICE),))
    shown = Turn(turn.entry, turn.card, transcript=(Revealed(),))
    assert "next step" in enter(worked)
    assert enter(asked) == "send the answer"
    assert "rating" in enter(shown)


def test_how_an_answer_is_typed_is_told_where_one_is_asked_only(turn: Turn) -> None:
    asked = Turn(turn.entry, turn.card, parts=(Part(CHOICE),))
    assert any("Tab" in keys for keys, _ in keys_for(asked))
    assert not any("Tab" in keys for keys, _ in keys_for(turn))
    assert ("u", "undo the last rating") in keys_for(turn)
