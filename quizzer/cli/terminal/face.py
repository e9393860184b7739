"""Prints what a session shows: question, what is asked, verdicts, hints, solution, ratings."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text
from rich.theme import Theme

from quizzer.app.workspace import Workspace
from quizzer.card import Card
from quizzer.card.checklist import Item
from quizzer.cli.terminal.array_view import DIFFERING, drawn, listed
from quizzer.cli.terminal.gallery import Gallery
from quizzer.cli.terminal.markdown import CardMarkdown, plain_text
from quizzer.cli.terminal.marked_lines import STYLES, at_edge, below
from quizzer.cli.terminal.output import may_color
from quizzer.cli.terminal.pager import page
from quizzer.cli.terminal.readings import side_by_side
from quizzer.deck import Entry
from quizzer.judge.judgement import Answered, Given, Question, View
from quizzer.session import sentences
from quizzer.session.marks import Marked
from quizzer.session.moves import Predicted, Tried
from quizzer.session.turn import Turn, Unclear
from quizzer.tex.width import width
from quizzer.text import clean, span
from quizzer.values import Memory, Rating, Verdict

if TYPE_CHECKING:
    from quizzer.form.predictions import Prediction

THEME = Theme(
    {
        "markdown.math": "cyan",
        "markdown.formula": "cyan",
        "markdown.code": "bold",
        "label": "dim",
        "name": "bold cyan",
        "right": "bold green",
        "wrong": "bold red",
        "unread": "bold yellow",
        "hint": "yellow",
        "key": "bold",
        "suggested": "bold reverse",
    }
)
WIDTH = 100
"""Lines longer than this are hard to read, however wide the terminal is."""

NARROWEST = 20
"""Columns below which COLUMNS is ignored."""

_STYLES = {
    Verdict.CORRECT: "right",
    Verdict.WRONG: "wrong",
    Verdict.INVALID: "unread",
    Verdict.BROKEN: "unread",
}


class _Console(Console):
    """A console that leaves it to the program to handle that nobody reads its output."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class Face:
    """Prints to standard output; `plain` leaves out boxes, rules and two-dimensional math."""

    def __init__(self, workspace: Workspace, *, plain: bool = False) -> None:
        self._workspace = workspace
        self._plain = plain
        self._gallery = Gallery()
        self._keys_shown: set[bool] = set()
        """Whether it was shown how typed answers are sent, and how lines are."""
        self._pictured: Path | None = None
        """The card whose pictures the gallery holds."""
        self._below_blank = False
        color = may_color(workspace.environ)
        self._console = _Console(
            theme=THEME,
            highlight=False,
            markup=False,
            emoji=False,
            no_color=not color,
            color_system="auto" if color else None,
            _environ=_believable(workspace.environ),
        )

    def print_line(self, *words: str | tuple[str, str]) -> None:
        """One line of plain and styled words."""
        self._print(Text.assemble(*words))

    def blank(self) -> None:
        """One blank line, not a second one below another."""
        if not self._below_blank:
            self._print("")

    def clear(self) -> None:
        """Begin at the top of an empty screen; away from a terminal, nothing changes."""
        self._console.clear()
        self._below_blank = True

    def typed(self) -> None:
        """Something was typed below what is shown, and stays."""
        self._below_blank = False

    @property
    def pictures(self) -> Mapping[int, Path]:
        """The images shown of the current card, by their numbers."""
        return self._gallery.shown

    @contextmanager
    def paged(self) -> Iterator[None]:
        """What the body prints appears at once, through the pager if it is longer than a screen.

        Plain output is not held back: a screen reader has its own way of going through it.
        """
        if self._plain:
            yield
            return
        with self._console.capture() as printed:
            yield
        page(printed.get(), self._workspace.environ)

    def card(self, turn: Turn, place: str, flagged: bool = False) -> None:
        """All that appears above the first prompt of a card."""
        self.header(turn.entry, place, flagged)
        # Options would be answers to choose from; typed answers are asked for instead.
        self.question(turn.entry, turn.card, options=turn.asks is None)
        if turn.repeats:
            self.blank()
            self.print_line((sentences.repeats(turn), "hint"))
        if turn.asks:
            self.asked(turn.asks)
        elif turn.broken:
            self.broken(turn.broken)
        if turn.part and (typed := turn.part.ask is not None) not in self._keys_shown:
            self._keys_shown.add(typed)
            self._keys_hint(typed)
        self.blank()

    def header(self, entry: Entry, place: str, flagged: bool = False) -> None:
        """Where in the session this is, and which card."""
        title = Text(sentences.heading(entry, place, flagged), "label")
        self.blank()
        if self._plain or title.cell_len > self._width - 2:
            # A rule would cut off what it has no room for.
            self._print(title)
        else:
            self._print(Rule(title, style="dim", align="left"))
        self.blank()

    def question(self, entry: Entry, card: Card, *, options: bool = True) -> None:
        self._markdown(entry, card.question)
        if card.options and options:
            self.blank()
            for option in card.options:
                self._labelled(f"{option.letter})", entry, option.text)

    def asked(self, asks: Question) -> None:
        """Each asked name with its label and shape, and what answers may use."""
        self.blank()
        names = max(width(ask.name) for ask in asks.asked)
        labels = max(width(ask.label) for ask in asks.asked)
        for ask in asks.asked:
            name = ask.name + " " * (names - width(ask.name))
            label = ask.label + " " * (labels - width(ask.label))
            shape = (sentences.shape(ask), "label")
            self._padded(Text.assemble((name, "name"), f"  {label}   ", shape))
        for label, text in sentences.conditions(asks):
            self._padded(Text(f"{label} ", "label").append(text, "none"))
        self._numbers("for these numbers:", asks.given)

    def values(self, asks: Question | None) -> None:
        """What is asked for the numbers that the question shows, below its solution."""
        if asks:
            self._numbers("for the numbers shown:", asks.values)

    def _numbers(self, title: str, numbers: Iterable[Given]) -> None:
        lines = list(sentences.given(numbers))
        if lines:
            self.blank()
            self._padded(Text(title, "label"))
        for line in lines:
            self._padded(Text(f"  {line}"))

    def _keys_hint(self, typed: bool) -> None:
        """How to send an answer and where the keys are."""
        sends = "Enter twice, Alt+Enter or Ctrl+S sends" if typed else "Enter sends"
        self._padded(Text(f"{sends}; Enter before typing shows the keys", "label"))

    def broken(self, message: str) -> None:
        """The checker cannot ask or judge; nothing counts against the learner."""
        self.blank()
        self.print_line(
            ("! this card's checker is broken: rate yourself. ", "unread"), clean(message)
        )

    def tried(self, tried: Tried) -> None:
        """What is said of an answer; of a derivation, its lines too, unless the field has them."""
        marked = tried.marked
        if marked is None:
            self.verdict(tried.answered, tried.typed)
            return
        for answered in tried.answers:
            if answered.verdict is Verdict.INVALID or marked.wrong is None:
                self.verdict(answered, tried.typed)
            else:
                said = sentences.headline(answered)
                self.print_line((said, _STYLES[answered.verdict]), ".")

    def marked(self, marked: Marked) -> None:
        """The lines of a derivation, with a mark at the right edge of each."""
        for line in marked.lines:
            if self._plain:
                self._plainly(f"{line.text}  {line.edge}".rstrip())
            else:
                edge = at_edge(line.text, line, self._width)
                self._print(Text.assemble(line.text, (edge, STYLES.get(line.state, "label"))))
            for row in below(marked.under(line), self._width):
                self.print_line((row, "hint"))

    def verdict(self, answered: Answered, typed: str) -> None:
        """The verdict on a typed text, and what there is to say about it."""
        words = sentences.verdict(answered, typed)
        headline = (sentences.headline(answered), _STYLES[answered.verdict])
        self.print_line(headline, f". {words.message}" if words.message else ".")
        if words.diagnosis:
            self._padded(Text(words.diagnosis, "hint"))
        if answered.view:
            self._view(answered.view)
        for said in filter(None, (words.reading, words.aside)):
            self._padded(Text(said, "label"))

    def unclear(self, answer: Unclear) -> None:
        """The readings of an answer, each with the key that picks it."""
        question, readings = sentences.unclear(answer)
        self.print_line(("? ", "unread"), question)
        if self._plain:
            for number, reading in enumerate(readings, 1):
                self._plainly(f"{number}: {reading.text}")
        else:
            self._print(side_by_side(readings, self._width, ascii=self._ascii))

    def hint(self, entry: Entry, text: str, number: int, total: int, called: str = "hint") -> None:
        self.print_line((f"{called} {number} of {total}", "hint"))
        self._markdown(entry, text, indent=2)

    def prediction(self, entry: Entry, asked: "Prediction") -> None:
        """What may be predicted of the next step, and the choices."""
        self.blank()
        self._markdown(entry, asked.asks)
        for number, choice in enumerate(asked.choices, 1):
            self.print_line("  ", (str(number), "key"), f"  {choice}")

    def predicted(self, found: Predicted) -> None:
        said, why = sentences.predicted(found)
        self.print_line((said, "right" if found.is_right else "wrong"), f". {why}" if why else "")

    def item(self, turn: Turn, item: Item) -> None:
        """The open item of a checklist."""
        self.print_line((sentences.item(turn, len(turn.ticks) + 1), "label"))
        self._markdown(turn.entry, item.text, indent=2)

    def line_shown(self, turn: Turn) -> None:
        """The line of a short form that was not found or not typed."""
        if turn.line_shown:
            self.blank()
            self._markdown(turn.entry, turn.line_shown)

    def solution(self, entry: Entry, card: Card) -> None:
        self._title("solution")
        self._markdown(entry, card.solution)

    def short_answer(self, entry: Entry, card: Card) -> None:
        """The short answer, if the card has one; the rest is shown on demand."""
        self._title("answer")
        self._markdown(entry, card.short_answer or card.solution)

    def ratings(
        self, previews: Mapping[Rating, Memory], step: int, suggested: Rating | None
    ) -> None:
        """The four keys with what each leads to; `step` is in minutes."""
        keys = [
            Text.assemble(
                (f" {rating.value} {rating.label} ", "suggested" if rating is suggested else "key"),
                (f"{span(memory.interval, step)}   ", "label"),
            )
            for rating, memory in previews.items()
        ]
        self.blank()
        if sum(map(len, keys)) <= self._console.width:
            self._print(Text.assemble(*keys))
        else:
            for key in keys:
                self._print(key)

    def parts(self, turn: Turn) -> None:
        """How each asked name ended, if there are several."""
        if line := sentences.outcomes(turn):
            self.print_line(line)

    def keys(self, keys: Iterable[tuple[str, str]]) -> None:
        for key, meaning in keys:
            self.print_line("  ", (key.ljust(18), "key"), meaning)

    def _view(self, view: View) -> None:
        """Got beside expected; for a screen reader, the differing entries one by one."""
        lines = listed(view) if self._plain else drawn(view, self._width - 2, ascii=self._ascii)
        for line in lines:
            text = Text(line)
            text.highlight_regex(DIFFERING, "wrong")
            self._padded(text)

    def _title(self, text: str) -> None:
        self.blank()
        if self._plain:
            self._print(text.upper())
        else:
            self._print(Rule(Text(text, "label"), style="dim", align="left"))

    def _markdown(self, entry: Entry, source: str, indent: int = 0) -> None:
        gallery, macros = self._gallery_of(entry), self._workspace.macros(entry)
        if self._plain:
            self._plainly(plain_text(source, gallery, macros, ascii=self._ascii))
        else:
            self._print(Padding(CardMarkdown(source, gallery, macros), (0, 0, 0, indent)))

    def _labelled(self, label: str, entry: Entry, source: str) -> None:
        gallery, macros = self._gallery_of(entry), self._workspace.macros(entry)
        if self._plain:
            said = plain_text(source, gallery, macros, ascii=self._ascii)
            self._plainly(f"{label} {said}")
            return
        from rich.table import Table

        grid = Table.grid(padding=(0, 1))
        grid.add_row(Text(f"  {label}", "key"), CardMarkdown(source, gallery, macros))
        self._print(grid)

    def _gallery_of(self, entry: Entry) -> Gallery:
        """The images shown of the current card; those of the previous card are forgotten."""
        if self._pictured != entry.path:
            self._pictured = entry.path
            self._gallery = Gallery(lambda name: self._workspace.deck.media(name, entry.path))
        return self._gallery

    def _padded(self, text: Text) -> None:
        self._print(Padding(text, (0, 0, 0, 2)))

    @property
    def _ascii(self) -> bool:
        """Whether the output's encoding lacks the characters that formulas need."""
        return not self._console.encoding.lower().startswith("utf")

    def _plainly(self, text: str) -> None:
        """Text whose lines the terminal itself breaks, so that a screen reader hears them whole."""
        self._console.print(Text(text), soft_wrap=True)
        self._below_blank = False

    def _print(self, renderable: RenderableType) -> None:
        self._console.print(renderable, width=self._width)
        self._below_blank = renderable == ""

    @property
    def _width(self) -> int:
        """Of the window as it is now: it may have been resized."""
        return min(self._console.width, WIDTH)


def _believable(environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment without a width in which nothing could be read."""
    columns = environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) >= NARROWEST:
        return environ
    return {name: value for name, value in environ.items() if name != "COLUMNS"}
