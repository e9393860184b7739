"""The card that a session asks, as a page shows it: all of it follows from the turn alone."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from quizzer.judge.judgement import Answered, View
from quizzer.judge.so_far import Understood, read_so_far
from quizzer.notation.values import ReadAs
from quizzer.session import sentences
from quizzer.session.completion import completions, names_of
from quizzer.session.entries import precision, shown
from quizzer.session.marks import WRONG, Marked, MarkedLine
from quizzer.session.moves import Disputed, Hinted, Predicted, Tried
from quizzer.session.short_form import MENDED, PROMPTS, WRONG_LINE, ShortForm
from quizzer.session.turn import Part, Turn
from quizzer.text import clean
from quizzer.values import Form, Verdict
from quizzer.web.markup import CardPrinter

SIGNS = tuple("⊤⊙Σ∂δ[]()^_")
"""What an answer often needs and few keyboards have at hand."""
PAD = (*"=+-/,0123456789.*>", "<", "≤", "exp(", "log(", "sqrt(")
"""What is left to type an answer by tap alone."""
_CODE = re.compile(r"`[^`]*`")
_INDICES = re.compile(r"_\{?([a-zA-Z+\-, ]+)")

Cells = tuple[tuple[str, bool], ...]
"""The entries of a row, and whether each differs from the other array's."""


class Arrays(Struct, frozen=True):
    """Got beside expected."""

    place: str
    got: tuple[Cells, ...]
    expected: tuple[Cells, ...]


class Said(Struct, frozen=True):
    """An answer and its verdict."""

    typed: str
    name: str
    verdict: Verdict
    headline: str
    words: sentences.VerdictWords
    notation: str
    understood: ReadAs | None
    arrays: Arrays | None
    lines: tuple[tuple[MarkedLine, str], ...] = ()
    """Those of a derivation, each with what is said below it."""
    is_brief: bool = False
    """Whether the marks of its lines say the rest."""
    is_choice: bool = False
    """Whether it is a line that was chosen: it bears the verdict itself."""
    others: tuple["Said", ...] = ()
    """What the same text came to for other names."""

    @property
    def tone(self) -> Verdict:
        """The verdict that the whole of it looks like: a wrong line or answer goes before."""
        verdicts = {self.verdict, *(each.verdict for each in self.others)}
        wrong = any(line.state == WRONG for line, _ in self.lines)
        return Verdict.WRONG if wrong or Verdict.WRONG in verdicts else self.verdict


class Hint(Struct, frozen=True):
    """A hint, and which one of how many it is."""

    number: int
    total: int
    html: Markup
    called: str


class Foretold(Struct, frozen=True):
    """What was said of a prediction."""

    headline: str
    why: str
    verdict: Verdict


Told = Said | Hint | Foretold | str
"""What was said on a card, as the template draws it."""


class ShownLine(Struct, frozen=True):
    """A line of a short form."""

    number: int
    text: str
    is_latex: bool
    state: str
    """`slip`, `follows` from it or `right` as far as that is known, `open` for the line to type,
    else empty."""


class ShownItem(Struct, frozen=True):
    """An item of a checklist."""

    html: Markup
    label: str
    state: str
    """`had`, `missed`, `now` for the one to tick, else empty."""


class Field(Struct, frozen=True):
    """Where the answer is typed: its name, how it is given, what it begins with, what may help."""

    name: str
    kind: str
    """`text`, `choice`, `line` or `number`."""
    typed: str
    names: tuple[str, ...]
    completions: str
    """As JSON, for the script."""
    indices: tuple[str, ...]
    """The letters that the question has as indices."""
    label: str = ""
    """What is asked for, where it is not a name."""
    signs: tuple[str, ...] = SIGNS
    pad: tuple[str, ...] = PAD


class AskingPage(Struct, frozen=True, kw_only=True):
    """What the daily session and the quiz show alike."""

    do: str
    """Where its forms are sent to, but for the action."""
    number: int
    turn: Turn
    printer: CardPrinter
    heading: str
    place: int
    total: int
    send: str = "Check"
    """What the button says that sends an answer."""
    field: Field | None
    talk: tuple[Told, ...]
    """The newest first; the steps of a worked solution as they are read."""

    @property
    def question(self) -> Markup:
        """The question; the lines of a short form are beside it."""
        question, short = self.turn.card.question, self.turn.short
        if short and short.lines:
            question = question.removesuffix(f"{short.told}\n\n{short.listed}")
        return self.printer.html(question)

    @property
    def told(self) -> Markup:
        """What there is to do with the lines."""
        return self.printer.html(self.turn.short.told if self.turn.short else "")

    @property
    def lines(self) -> tuple[ShownLine, ...]:
        return tuple(_lines(self.turn, self.turn.short)) if self.turn.short else ()

    @property
    def checklist(self) -> tuple[ShownItem, ...]:
        """What to tick, once the solution is shown."""
        return tuple(_items(self.turn, self.printer)) if self.turn.revealed else ()

    @property
    def prediction(self) -> tuple[Markup, tuple[str, ...]] | None:
        """What may be predicted of the next step, and the choices."""
        asked = self.turn.prediction
        return (self.printer.html(asked.asks), asked.choices) if asked else None

    @property
    def line_shown(self) -> Markup:
        """The line of a short form that was not found or not typed."""
        return self.printer.html(self.turn.line_shown)

    @property
    def steps(self) -> bool:
        """Whether a solution is shown step by step."""
        return self.turn.form is Form.WORKED

    @property
    def outcomes(self) -> str:
        return sentences.outcomes(self.turn) if self.turn.revealed else ""

    @property
    def may_be_told(self) -> bool:
        """Whether learners may ask what is wrong with the first wrong line."""
        tried = self.turn.to_mend
        return tried is not None and tried.marked is not None and tried.marked.may_be_told

    @property
    def unclear(self) -> tuple[str, tuple[ReadAs, ...]] | None:
        return sentences.unclear(self.turn.unclear) if self.turn.unclear else None


def open_field(turn: Turn) -> Field | None:
    """Where the open part is answered, unless it is asked first which reading is meant."""
    return None if turn.part is None or turn.unclear else field_of(turn, turn.part)


def field_of(turn: Turn, part: Part) -> Field:
    """Where the open part is answered."""
    asked = turn.short.usable if turn.short else (part.ask,) if part.ask else ()
    names = [name for each in asked for name in names_of(each.names)]
    judged = "line" if part.name == WRONG_LINE else part.name
    return Field(
        name=part.name,
        kind="text" if asked and part.name != WRONG_LINE else judged,
        typed=_last_typed(turn, part),
        names=tuple(dict.fromkeys([*(each.name for each in asked), *names])),
        completions=json.dumps(list(completions(names)), ensure_ascii=False),
        indices=_indices(turn),
        label=PROMPTS.get(part.name, "").capitalize(),
    )


def _lines(turn: Turn, short: ShortForm) -> Iterator[ShownLine]:
    """The lines of a short form, with what is known of them."""
    tries = [move for move in turn.transcript if isinstance(move, Tried)]
    chosen = {
        move.typed.strip(): move.answered.verdict
        for move in tries
        if move.answered.name == WRONG_LINE
    }
    for place, (text, is_latex) in enumerate(short.lines):
        verdict = chosen.get(str(place + 1))
        state = ""
        if verdict is Verdict.WRONG:
            state = "follows" if place in short.changed else "right"
        if place == short.place:
            if short.form is Form.MISSING:
                state = "open"
            elif turn.revealed or verdict is Verdict.CORRECT:
                state = "slip"
        drawn = text if is_latex else _drawn(text, short)
        yield ShownLine(place + 1, drawn or text, drawn is not None, state)


def _drawn(line: str, short: ShortForm) -> str | None:
    """A line that its author typed as it is read, if there is one way to read it."""
    if line.startswith("="):  # what it is about is said above it
        return None
    for ask in short.usable:
        with suppress(Exception):  # then it is shown as it was typed
            found = read_so_far(ask.context, line) if ask.context else None
            if isinstance(found, Understood) and not found.others:
                return found.latex
    return None


def _items(turn: Turn, printer: CardPrinter) -> Iterator[ShownItem]:
    states = ["had" if had else "missed" for had in turn.ticks] + ["now"]
    for place, item in enumerate(turn.checklist):
        state = states[place] if place < len(states) else ""
        yield ShownItem(printer.html(item.text), sentences.item(turn, place + 1), state)


def _indices(turn: Turn) -> tuple[str, ...]:
    """Letters below others in the question, in the order of the alphabet."""
    formulas = _CODE.sub("", turn.card.question)
    found = "".join(_INDICES.findall(formulas))
    return tuple(sorted({sign for sign in found if sign.islower()})) or tuple("ijk")


def talk(turn: Turn, printer: CardPrinter) -> Iterator[Told]:
    """What was said on the card so far, the oldest first."""
    hints, called = 0, "Step" if turn.form is Form.WORKED else "Hint"
    for move in turn.transcript:
        match move:
            case Tried():
                yield said_of(move)
            case Hinted(text):
                hints += 1
                yield Hint(hints, len(turn.hints), printer.html(text), called)
            case Predicted():
                verdict = Verdict.CORRECT if move.is_right else Verdict.WRONG
                yield Foretold(*sentences.predicted(move), verdict)
            case Disputed():
                yield sentences.DISPUTED


def said_of(tried: Tried) -> Said:
    """An answer with all that is said of it, of a derivation the lines with their marks."""
    marked = tried.marked
    first, *others = (_said(tried.typed, answered, marked) for answered in tried.answers)
    if marked is None:
        return replace(first, others=tuple(others))
    return replace(
        first,
        others=tuple(others),
        lines=tuple((line, marked.under(line)) for line in marked.lines),
    )


def _said(typed: str, answered: Answered, marked: Marked | None) -> Said:
    invalid = answered.verdict is Verdict.INVALID
    return Said(
        typed=clean(typed),
        name=answered.name,
        verdict=answered.verdict,
        headline=sentences.headline(answered),
        words=sentences.verdict(answered, typed),
        notation=sentences.NOTATIONS.get(answered.notation or "", ""),
        understood=answered.understood,
        arrays=_arrays(answered.view) if answered.view else None,
        is_choice=answered.name == WRONG_LINE,
        is_brief=marked is not None and marked.wrong is not None and not invalid,
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
    """The last answer to this part, or the derivation of it, that may be mended."""
    if turn.to_mend:
        return turn.to_mend.typed
    tries = [
        move
        for move in turn.transcript
        if isinstance(move, Tried) and move.answered.name == part.name
    ]
    if not tries and part.name == MENDED and turn.short and turn.short.place is not None:
        return turn.short.lines[turn.short.place][0]
    return tries[-1].typed if tries else ""
