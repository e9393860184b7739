"""The card being asked as a page shows it: all of it follows from the session alone."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from quizzer.judge.judgement import Answered, View
from quizzer.notation.values import ReadAs
from quizzer.session import sentences
from quizzer.session.commands import Command
from quizzer.session.completion import completions, names_of
from quizzer.session.daily import Session
from quizzer.session.entries import precision, shown
from quizzer.session.given import CHOICE
from quizzer.session.turn import Disputed, Hinted, Part, Tried, Turn
from quizzer.text import clean, span
from quizzer.values import Rating, Verdict
from quizzer.web.desk import Desk
from quizzer.web.markup import CardPrinter

SIGNS = tuple("⊤⊙Σ∂δ[]^_()")
"""What an answer often needs and few keyboards have at hand."""

Cells = tuple[tuple[str, bool], ...]
"""The entries of a row, and whether each differs from the other array's."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """Got beside expected."""

    place: str
    got: tuple[Cells, ...]
    expected: tuple[Cells, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """An answer and its verdict."""

    typed: str
    name: str
    verdict: Verdict
    words: sentences.VerdictWords
    notation: str
    understood: ReadAs | None
    arrays: Arrays | None


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint, and which one of how many it is."""

    number: int
    total: int
    html: Markup


@dataclass(frozen=True, slots=True)
class RatingKey:
    rating: Rating
    span: str
    suggested: bool


@dataclass(frozen=True, slots=True)
class Field:
    """Where the answer is typed: its name, how it is given, what it begins with, what may help."""

    name: str
    kind: str
    """`text`, `choice` or `number`."""
    typed: str
    names: tuple[str, ...]
    completions: str
    """As JSON, for the script."""


@dataclass(frozen=True, slots=True)
class CardPage:
    """What the template draws."""

    number: int
    turn: Turn
    printer: CardPrinter
    heading: str
    place: int
    total: int
    to_go: str
    flagged: bool
    editing: bool
    field: Field | None
    talk: tuple[Said | Hint | str, ...]
    """The newest first."""
    ratings: tuple[RatingKey, ...]
    commands: tuple[Command, ...]

    @property
    def outcomes(self) -> str:
        return sentences.outcomes(self.turn) if self.turn.revealed else ""

    @property
    def unclear(self) -> tuple[str, tuple[ReadAs, ...]] | None:
        return sentences.unclear(self.turn.unclear) if self.turn.unclear else None


def card_page(desk: Desk, session: Session, turn: Turn) -> CardPage:
    """The page of the card being asked."""
    left = session.remaining()
    where = sentences.position(session.place, left, session.budget)
    flagged = session.is_flagged()
    return CardPage(
        number=session.number,
        turn=turn,
        printer=(printer := CardPrinter(desk.workspace, turn.entry, turn.card)),
        heading=sentences.heading(turn.entry, where, flagged),
        place=session.place,
        total=session.place + left.total,
        to_go=sentences.to_go(left),
        flagged=flagged,
        editing=desk.editing == turn.entry.id,
        field=None if turn.part is None or turn.unclear else field_of(turn, turn.part),
        talk=tuple(talk(turn, printer))[::-1],
        ratings=tuple(_ratings(session)) if turn.revealed else (),
        commands=tuple(commands(turn)),
    )


def commands(turn: Turn) -> Iterator[Command]:
    """What can be asked for now, in the order of the buttons."""
    if not turn.revealed:
        if turn.parts:
            yield Command.HINT
        yield Command.REVEAL
        yield Command.SKIP
    if any(isinstance(move, Tried) for move in turn.transcript):
        yield Command.DISPUTE
    yield from (Command.UNDO, Command.FLAG, Command.BURY, Command.SUSPEND)
    yield from (Command.EDIT, Command.QUIT)


def field_of(turn: Turn, part: Part) -> Field:
    """Where the open part is answered."""
    names = names_of(part.ask.names) if part.ask else []
    judged = "choice" if part.name == CHOICE else "number"
    return Field(
        name=part.name,
        kind="text" if part.ask else judged,
        typed=_last_typed(turn, part),
        names=tuple(dict.fromkeys(names)),
        completions=json.dumps(list(completions(names)), ensure_ascii=False),
    )


def talk(turn: Turn, printer: CardPrinter) -> Iterator[Said | Hint | str]:
    """What was said on the card so far, the oldest first."""
    hints = 0
    for move in turn.transcript:
        match move:
            case Tried(typed, answered):
                yield said(typed, answered)
            case Hinted(text):
                hints += 1
                yield Hint(hints, len(turn.hints), printer.html(text))
            case Disputed():
                yield sentences.DISPUTED


def said(typed: str, answered: Answered) -> Said:
    """An answer with all that is said of it."""
    return Said(
        typed=clean(typed),
        name=answered.name,
        verdict=answered.verdict,
        words=sentences.verdict(answered, typed),
        notation=sentences.NOTATIONS.get(answered.notation or "", ""),
        understood=answered.understood,
        arrays=_arrays(answered.view) if answered.view else None,
    )


def _arrays(view: View) -> Arrays:
    digits = precision(view)

    def rows(numbers: tuple[tuple[float, ...], ...]) -> tuple[Cells, ...]:
        return tuple(
            tuple((shown(number, digits), mark) for number, mark in zip(row, marks, strict=True))
            for row, marks in zip(numbers, view.differs, strict=True)
        )

    return Arrays(view.place, rows(view.got), rows(view.expected))


def _last_typed(turn: Turn, part: Part) -> str:
    """The last answer to this part, if it may be mended; nothing if its verdict closed it."""
    tries = [
        move
        for move in turn.transcript
        if isinstance(move, Tried) and move.answered.name == part.name
    ]
    return tries[-1].typed if tries else ""


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
