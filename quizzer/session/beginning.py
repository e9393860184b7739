"""How a card begins to be asked: in a short form, by its checker, by its key, or for a rating."""

from msgspec.structs import replace

from quizzer.card import Card, Choice, Number
from quizzer.card.checklist import checklist
from quizzer.deck import Entry
from quizzer.judge.judgement import Broken, Question
from quizzer.session.given import CHOICE, NUMBER
from quizzer.session.short_form import ShortForm
from quizzer.session.turn import Part, Turn
from quizzer.values import Form


def enter(entry: Entry, card: Card, short: ShortForm, asks: Question | Broken | None) -> Turn:
    """The turn of a card that is asked in a short form; a worked one has the numbers that its
    question shows."""
    parts = tuple(map(Part, short.names))
    hints = card.steps if short.form is Form.WORKED else ()
    turn = Turn(entry, short.asked(card), parts, hints=hints, own_hints=len(hints), short=short)
    return replace(turn, asks=asks) if isinstance(asks, Question) and asks.shows else turn


def begin(entry: Entry, card: Card, asks: Question | Broken | None) -> Turn:
    """The turn of a card: by its checker, else by its key, else revealed and rated."""
    own = card.hints + (asks.hints if isinstance(asks, Question) else ())
    turn = Turn(entry, card, hints=own + card.steps, own_hints=len(own))
    if isinstance(asks, Broken):
        return replace(turn, broken=asks.message)
    if asks is not None:
        return replace(turn, asks=asks, parts=tuple(Part(ask.name, ask) for ask in asks.asked))
    match card.asks:
        case Choice():
            return replace(turn, parts=(Part(CHOICE),))
        case Number():
            return replace(turn, parts=(Part(NUMBER),))
        case _:
            return replace(turn, checklist=checklist(card))
