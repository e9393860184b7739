"""The card of the daily session as a page shows it: all of it follows from the session alone."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from quizzer.session import sentences
from quizzer.session.commands import Command
from quizzer.session.daily import Session
from quizzer.session.moves import Tried
from quizzer.session.turn import Turn
from quizzer.text import span
from quizzer.values import Form, Rating
from quizzer.web.asking import AskingPage, open_field, talk
from quizzer.web.desk import Desk
from quizzer.web.markup import CardPrinter


class RatingKey(Struct, frozen=True):
    rating: Rating
    span: str
    suggested: bool


class CardPage(AskingPage, frozen=True, kw_only=True):
    """What the template draws."""

    to_go: str
    flagged: bool
    editing: bool
    ratings: tuple[RatingKey, ...]
    commands: tuple[Command, ...]


def card_page(desk: Desk, session: Session, turn: Turn) -> CardPage:
    """The page of the card being asked."""
    left = session.remaining()
    where = sentences.position(session.place, left, session.budget)
    flagged = session.is_flagged()
    printer = CardPrinter(desk.workspace, turn.entry, turn.card)
    return CardPage(
        do="/do/",
        number=session.number,
        turn=turn,
        printer=printer,
        heading=sentences.heading(turn.entry, where, flagged),
        place=session.place,
        total=session.place + left.total,
        to_go=sentences.to_go(left),
        flagged=flagged,
        editing=desk.editing == turn.entry.id,
        field=open_field(turn),
        talk=tuple(talk(turn, printer))[:: 1 if turn.form is Form.WORKED else -1],
        ratings=tuple(_ratings(session)) if turn.revealed else (),
        commands=tuple(commands(turn)),
    )


def commands(turn: Turn) -> Iterator[Command]:
    """What can be asked for now, in the order of the buttons."""
    if not turn.revealed:
        if turn.parts and not turn.short:
            yield Command.HINT
        yield Command.REVEAL
        yield Command.SKIP
    if any(isinstance(move, Tried) for move in turn.transcript):
        yield Command.DISPUTE
    yield from (Command.UNDO, Command.FLAG, Command.BURY, Command.SUSPEND)
    yield from (Command.EDIT, Command.QUIT)


def _ratings(session: Session) -> Iterator[RatingKey]:
    suggested, step = session.suggestion(), session.step_minutes()
    for rating, memory in session.previews().items():
        yield RatingKey(rating, span(memory.interval, step), rating is suggested)


LABELS: Mapping[Command, str] = {
    Command.HINT: "Hint",
    Command.REVEAL: "Reveal",
    Command.SKIP: "Skip",
    Command.DISPUTE: "Dispute",
    Command.UNDO: "Undo",
    Command.FLAG: "Flag",
    Command.SUSPEND: "Suspend",
    Command.BURY: "Bury",
    Command.EDIT: "Edit",
    Command.QUIT: "End",
}
"""What the buttons say; pictures and keys are on the page itself."""
