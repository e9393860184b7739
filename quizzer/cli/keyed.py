"""Judging a card without a checker by the key that it holds."""

from collections.abc import Sequence

import typer

from quizzer.app.failure import Usage
from quizzer.card import Card, Choice, Number, Reveal
from quizzer.cli.given import Given, by_name
from quizzer.cli.terminal.output import say
from quizzer.deck import Entry
from quizzer.judge.judgement import Answered
from quizzer.session.judging import judged_by_key
from quizzer.session.turn import CHOICE, NUMBER

_EXPECTED = {CHOICE: "one letter or several", NUMBER: "a number"}


def answered_by_key(entry: Entry, card: Card, given: Sequence[Given]) -> Answered:
    """The verdict on the one answer. Raises Usage for any other answers than one to this card.

    Raises typer.Exit where nothing was answered, after saying what is asked.
    """
    wanted = _asked(entry, card)
    if not given:
        say(f"{entry.id} asks for:")
        say(f"  {wanted}, {_EXPECTED[wanted]}")
        say(f'Write for example: quizzer verify {entry.id} "{wanted} = ..."')
        raise typer.Exit(2)
    named = by_name(given, [wanted])
    if list(named) != [wanted]:
        text = next(iter(named.values())).text
        raise Usage(f"this card asks for `{wanted}`: write {wanted}={text}")
    answered = judged_by_key(card, named[wanted].judged)
    assert answered is not None
    return answered


def _asked(entry: Entry, card: Card) -> str:
    match card.asks:
        case Choice():
            return CHOICE
        case Number():
            return NUMBER
        case Reveal():
            raise Usage(
                f"{entry.id} has nothing that could be judged: no checker, no key. "
                f"`quizzer show {entry.id}` shows its solution."
            )
