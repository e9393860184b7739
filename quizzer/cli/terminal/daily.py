"""The daily session on a terminal: shows the turn, asks, and passes on what is typed."""

from functools import cached_property
from typing import TYPE_CHECKING

from quizzer.app.editor import checkers_of, open_card
from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.editor import run
from quizzer.cli.terminal.face import Face
from quizzer.cli.terminal.parts import MENU, ask_part, ask_reading, ask_step, keys_for, tick
from quizzer.cli.terminal.viewer import show_picture
from quizzer.cli.terminal.waiting import busy
from quizzer.plan.leeches import advice
from quizzer.session import ending, sentences
from quizzer.session.commands import Command
from quizzer.session.daily import Session
from quizzer.session.rating import RatedElsewhereError
from quizzer.session.summary import Summary
from quizzer.session.turn import Part, Turn, Unclear
from quizzer.values import Form, Rating, Verdict

if TYPE_CHECKING:
    from quizzer.cli.terminal.ask import Asker


class _Leave(Exception):
    """The learner wants to go."""


class _Gone(Exception):
    """The current card has been left: skipped, buried, suspended, undone or edited."""


class TerminalSession:
    """Shows one daily session and asks what it needs."""

    def __init__(
        self, workspace: Workspace, session: Session, *, plain: bool, in_editor: bool
    ) -> None:
        self._workspace = workspace
        self._session = session
        self._face = Face(workspace, plain=plain)
        self._problems_shown = 0
        self._notices_shown = 0
        self._plain, self._in_editor = plain, in_editor

    @cached_property
    def _asker(self) -> "Asker":
        # The first card is on the screen before prompt_toolkit is imported.
        from quizzer.cli.terminal.ask import Asker

        return Asker(self._workspace, always_edit=self._in_editor, plain=self._plain)

    def run(self) -> None:
        """From the first card to the summary. Raises KeyboardInterrupt after Ctrl-C, all saved."""
        try:
            self._open()
            self._cards()
        except (_Leave, EOFError):
            pass
        except KeyboardInterrupt:
            self._summary()
            raise
        self._summary()

    def _open(self) -> None:
        """How much there is to do, and what waits where that is too much."""
        found, opening = self._session.backlog(), sentences.opening(self._session.remaining())
        if found or opening:
            self._face.blank()
        if found:
            self._face.print_line(sentences.backlog(found, self._session.budget))
        if opening:
            self._face.print_line(opening)

    def _cards(self) -> None:
        while self._advance() or self._take_early():
            self._print_news()
            try:
                self._ask_card()
                self._rate()
            except _Gone:
                continue

    def _advance(self, early: bool = False) -> Turn | None:
        with busy("getting the next card ready"):
            return self._session.advance(early)

    def _print_news(self) -> None:
        """Notices of the session, and cards left out because their files are no longer cards."""
        for notice in self._session.notices[self._notices_shown :]:
            self._face.blank()
            self._face.print_line(("! ", "unread"), notice)
        self._notices_shown = len(self._session.notices)
        for problem in self._session.problems[self._problems_shown :]:
            where = f"{self._workspace.short(problem.path)}:{problem.line}"
            self._face.print_line(("left out ", "unread"), f"{where}: {problem.message}")
        self._problems_shown = len(self._session.problems)

    def _take_early(self) -> Turn | None:
        """Offer a card that still waits in its step, if nothing else is left."""
        until = self._session.waiting_until()
        if until is None:
            return None
        left = max(1, round((until - self._workspace.now()).total_seconds() / 60))
        self._face.blank()
        self._face.print_line(f"The next card comes back in {left} min.")
        pressed = self._asker.key("Take it [n]ow, or [q]uit? ", "nq", default="n")
        return self._advance(early=True) if pressed == "n" else None

    def _ask_card(self) -> None:
        """Show the card and take answers until all is right or the solution is revealed."""
        turn = self._turn
        if turn.revealed:
            self._face.header(turn.entry, "to be rated again", self._session.is_flagged())
            self._asker.forget()
            return
        self._show_card()
        self._asker.forget()
        while not self._turn.revealed:
            part = self._turn.part
            if answer := self._turn.unclear:
                self._ask_reading(answer)
            elif self._turn.complete:
                self._reveal()
            elif part is None:
                self._wait_for_reveal()
            else:
                self._ask_part(part)

    def _show_card(self) -> None:
        turn = self._turn
        session = self._session
        place = sentences.position(session.place, session.remaining(), session.budget)
        self._face.card(turn, place, self._session.is_flagged())

    def _ask_part(self, part: Part) -> None:
        try:
            typed = ask_part(self._asker, self._turn, part)
        finally:
            self._face.typed()
        if isinstance(typed, Command):
            self._do(typed)
        elif not typed:
            if not self._explain():
                self._menu()
        else:
            with busy("checking"):
                self._session.answer(self._session.number, typed)
            self._show_verdict()

    def _ask_reading(self, answer: Unclear) -> None:
        which = ask_reading(self._asker, self._face, answer)
        if which is None:
            self._session.take_back(self._session.number)
            return
        with busy("checking"):
            judged = self._session.judge_reading(self._session.number, which)
            self._session.record(judged)
        self._show_verdict()

    def _show_verdict(self) -> None:
        turn, tried = self._turn, self._turn.last_tried
        if turn.unclear or tried is None:
            return  # nothing is judged yet
        if tried.marked and (turn.to_mend is None or self._asker.still):
            self._face.marked(tried.marked)
        self._face.tried(tried)
        if any(answered.verdict is Verdict.WRONG for answered in tried.answers):
            self._advise()

    def _advise(self) -> None:
        """What to press after a wrong answer."""
        tried = self._turn.to_mend
        keys = "Enter for a hint and other keys"
        if tried and tried.marked and tried.marked.may_be_told:
            keys = "Enter for what is wrong with the line"
        self._face.print_line((f"  try again, or {keys}", "label"))

    def _explain(self) -> bool:
        """Say what is wrong with the first wrong line, if that is not said yet."""
        told = self._turn.to_mend is not None and self._session.explain(self._session.number)
        if told and self._asker.still and (tried := self._turn.last_tried) and tried.marked:
            self._face.print_line((tried.marked.message, "hint"))
        return told

    def _wait_for_reveal(self) -> None:
        pressed = ask_step(self._asker, self._face, self._turn)
        if isinstance(pressed, Command):
            self._do(pressed)
            return
        self._face.predicted(self._session.predict(self._session.number, pressed))
        self._show_hint()

    def _menu(self) -> None:
        menu = MENU.format(images="[i]mage " if self._face.pictures else "")
        pressed = self._asker.key(menu, [*Command, "\x1b"], default="")
        if pressed in [*Command]:
            self._do(Command(pressed))

    def _do(self, command: Command) -> None:
        """Carry out a command. Raises _Gone when the card is left, _Leave to go."""
        match command:
            case Command.HINT:
                self._hint()
            case Command.REVEAL:
                self._reveal()
            case Command.DISPUTE:
                self._dispute()
            case Command.FLAG:
                flagged = self._session.flag(self._session.number)
                self._face.print_line(sentences.flag(flagged))
            case Command.HELP:
                self._face.keys(keys_for(self._turn))
            case Command.UNDO:
                self._undo()
            case Command.EDIT:
                self._edit_card()
            case Command.IMAGE:
                show_picture(self._workspace, self._face, self._asker)
            case Command.QUIT:
                raise _Leave
            case Command.SKIP:
                self._session.skip(self._session.number)
                raise _Gone
            case Command.SUSPEND:
                self._face.print_line(sentences.suspended(self._turn.entry.id))
                self._session.suspend(self._session.number)
                raise _Gone
            case Command.BURY:
                self._face.print_line(sentences.BURIED)
                self._session.bury(self._session.number)
                raise _Gone

    def _hint(self) -> None:
        with busy("looking for a hint"):
            text = self._session.hint(self._session.number)
        if text is None:
            self._face.print_line(f"{sentences.NO_MORE_HINTS}; r reveals the solution")
            return
        self._show_hint()

    def _show_hint(self) -> None:
        turn = self._turn
        text = turn.hints[turn.hints_shown - 1]
        called = "step" if turn.form is Form.WORKED else "hint"
        self._face.hint(turn.entry, text, turn.hints_shown, len(turn.hints), called)

    def _reveal(self) -> None:
        turn = self._session.reveal(self._session.number)
        self._face.line_shown(turn)
        if turn.brief:
            self._face.short_answer(turn.entry, turn.card)
        else:
            self._face.solution(turn.entry, turn.card)
        self._face.values(turn.asks)
        self._face.parts(turn)

    def _dispute(self) -> None:
        if self._session.dispute(self._session.number):
            self._face.print_line(sentences.DISPUTED)
        else:
            self._face.print_line(sentences.NO_VERDICT)

    def _undo(self) -> None:
        undone = self._session.undo(self._session.number)
        if undone is None:
            self._face.print_line(sentences.NOTHING_TO_UNDO)
            return
        self._face.print_line(sentences.undone(*undone))
        raise _Gone

    def _edit_card(self) -> None:
        try:
            entry = self._turn.entry
            checkers = checkers_of(entry.path, entry.checker)
            open_card(self._workspace, [entry.path, *checkers], checkers, run)
        except Failure as failure:
            self._face.print_line(str(failure))
            return
        self._session.reread(self._session.number)
        raise _Gone

    def _rate(self) -> None:
        """Ask for the rating; the suggested one is what Enter takes."""
        tick(self._asker, self._face, self._session)
        suggested = self._session.suggestion()
        whole = not self._turn.brief
        while True:
            self._face.ratings(self._session.previews(), self._session.step_minutes(), suggested)
            more = "" if whole else "[m]ore of the solution, "
            enter = f"Enter takes {suggested.label}, " if suggested else ""
            pressed = self._asker.key(
                f"1-4 rates, {enter}{more}u d f e s x b q ? ",
                [*"1234", *Command, *("" if whole else "m")],
                default=str(suggested.value) if suggested else None,
                considered=True,
            )
            if pressed in "1234":
                break
            if pressed == "m":
                self._face.solution(self._turn.entry, self._turn.card)
                whole = True
            elif pressed in (Command.HINT, Command.REVEAL):
                self._face.solution(self._turn.entry, self._turn.card)
            else:
                self._do(Command(pressed))
                suggested = self._session.suggestion()
        card = self._turn.entry.id
        try:
            rated = self._session.rate(self._session.number, Rating(int(pressed)))
        except RatedElsewhereError as error:
            why = sentences.rated_elsewhere(card, error.now)
            self._face.print_line(("not saved: ", "unread"), why)
            return
        done, again = sentences.saved(rated)
        self._face.print_line((done, "right"), f", {again}")
        if to_go := sentences.to_go(self._session.remaining()):
            self._face.print_line((to_go, "label"))
        if rated.leech:
            self._face.print_line(("! ", "unread"), advice(card, rated.leech))

    def _summary(self) -> None:
        self._print_news()
        summary = self._session.summary()
        self._face.blank()
        first, *others = ending.summary(summary)
        self._face.print_line(first + _remedy(summary))
        for line in others:
            self._face.print_line(line)

    @property
    def _turn(self) -> Turn:
        turn = self._session.turn
        if turn is None:
            raise _Gone
        return turn


def _remedy(summary: Summary) -> str:
    """What to type if nothing was asked though something is due."""
    if summary.asked:
        return ""
    if summary.left:
        return " More: quizzer review --minutes 20"
    return " See quizzer config" if summary.beyond else ""
