"""One sitting at the terminal: shows the session's turn, asks, and passes on what is typed."""

from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.ask import Asker, Command
from quizzer.cli.terminal.editor import editor_command, open_file
from quizzer.cli.terminal.face import Face
from quizzer.cli.terminal.output import about, minutes, span
from quizzer.cli.terminal.viewer import show_picture
from quizzer.cli.terminal.waiting import busy
from quizzer.judge.judgement import Answered
from quizzer.plan.backlog import Backlog
from quizzer.plan.leeches import advice
from quizzer.session.daily import Session, Summary
from quizzer.session.rating import RatedElsewhereError
from quizzer.session.turn import CHOICE, Part, Turn
from quizzer.text import count
from quizzer.values import Rating, Verdict

MENU = (
    "[h]int [r]eveal [s]kip [d]ispute [u]ndo [f]lag [x] suspend\n"
    "[b]ury [e]dit {images}[q]uit [?] keys, Enter goes back "
)
KEYS = (
    ("Alt+Enter, Ctrl+S", "send the answer (Enter alone starts a new line)"),
    ("Ctrl+E, F4", "write the answer in your editor"),
    ("↑", "the answers you typed for this card"),
    ("Tab", "complete a name, or turn \\delta into δ"),
    ("Enter", "on an empty line: choose one of the letters below"),
    ("Alt+letter", "the same at once, from anywhere in an answer"),
    ("h", "a hint, then the steps of the solution one by one"),
    ("r", "reveal the solution"),
    ("s", "skip the card for now"),
    ("d", "dispute the last verdict: logged, and not counted against you"),
    ("u", "undo the last rating"),
    ("f", "flag the card, or take the flag away"),
    ("x", "suspend the card until `quizzer unsuspend`"),
    ("b", "bury the card until tomorrow"),
    ("e", "edit the card's file"),
    ("i", "open an image of the card"),
    ("q, Ctrl-C", "quit; every rating is saved already"),
)


def ask_part(asker: Asker, turn: Turn, part: Part) -> str | Command:
    """What the learner types for one part, or the command he gives instead."""
    if part.ask:
        names = {name.split(" ")[0] for name in part.ask.names}
        return asker.answer(f"{part.name} = ", names, part.ask.context)
    if part.name == CHOICE:
        return asker.line(f"which of {', '.join(o.letter for o in turn.card.options)}? ")
    return asker.line("number: ")


class _Leave(Exception):
    """The learner wants to go."""


class _Gone(Exception):
    """The present card has been left: skipped, buried, suspended, undone or edited."""


class TerminalSession:
    """The face of the daily session."""

    def __init__(
        self, workspace: Workspace, session: Session, *, plain: bool, in_editor: bool
    ) -> None:
        self._workspace = workspace
        self._session = session
        self._face = Face(workspace, plain=plain)
        self._number = 0
        self._last_shown = ""
        self._problems_told = 0
        self._asker = Asker(
            color=workspace.color, edit=workspace.edit_text, always_edit=in_editor, plain=plain
        )

    def run(self) -> None:
        """From the first card to the summary. Raises KeyboardInterrupt after Ctrl-C, all saved."""
        try:
            if found := self._session.backlog():
                self._tell_backlog(found)
            self._cards()
        except (_Leave, EOFError):
            pass
        except KeyboardInterrupt:
            self._summary(self._session.summary())
            raise
        self._summary(self._session.summary())

    def _tell_backlog(self, found: Backlog) -> None:
        """What to take first after a holiday, and what it costs to let the others wait."""
        budget = self._session.budget
        takes = f"The {budget:g} minutes take" if budget else "Today's limit takes"
        takes = "The minute takes" if budget == 1 else takes
        one = found.today == 1
        which = f"{'has' if one else 'have'} waited longest"
        if found.for_exam:
            which = f"{'comes' if one else 'come'} first toward the exam"
        more = round(found.forgotten)
        cost = f"about {more} more" if more else "hardly any more"
        self._face.blank()
        self._face.say(
            f"{found.due} cards are due, {about(found.minutes)}. {takes} the "
            f"{'one' if one else found.today} that {which}; if the others wait until they fit "
            f"({count(found.days, 'day')}), {cost} of them will be forgotten."
        )

    def _cards(self) -> None:
        while self._session.turn or self._advance() or self._take_early():
            self._tell_problems()
            try:
                self._ask_card()
                self._rate()
            except _Gone:
                continue
        self._tell_problems()

    def _advance(self, early: bool = False) -> Turn | None:
        with busy("getting the next card ready"):
            return self._session.advance(early)

    def _tell_problems(self) -> None:
        """Cards that were left out since their files are no cards any more."""
        for problem in self._session.problems[self._problems_told :]:
            where = f"{self._workspace.short(problem.path)}:{problem.line}"
            self._face.say(("left out ", "unread"), f"{where}: {problem.message}")
        self._problems_told = len(self._session.problems)

    def _take_early(self) -> Turn | None:
        """Offer a card that still waits for its ten minutes, when nothing else is left."""
        until = self._session.waiting_until()
        if until is None:
            return None
        left = max(1, round((until - self._workspace.now()).total_seconds() / 60))
        self._face.blank()
        self._face.say(f"The next card comes back in {left} min.")
        pressed = self._asker.key("Take it [n]ow, or [q]uit? ", "nq", default="n")
        return self._advance(early=True) if pressed == "n" else None

    def _ask_card(self) -> None:
        """Show the card and take answers until all is right or the solution is revealed."""
        turn = self._turn
        self._asker.forget()
        if turn.revealed:
            self._face.header(turn.entry, "to be rated again", self._session.is_flagged())
            return
        if turn.entry.id != self._last_shown:
            # Asked anew after an edit or an undo, it keeps its place.
            self._number += 1
            self._last_shown = turn.entry.id
        self._show_card()
        while not self._turn.revealed:
            part = self._turn.part
            if part is None and self._turn.parts:
                self._reveal()
            elif part is None:
                self._wait_for_reveal()
            else:
                self._ask_part(part)

    def _show_card(self) -> None:
        turn = self._turn
        left = self._session.remaining()
        place = f"{self._number} of {self._number + left.total}"
        if self._session.budget is not None:
            place += f" · {about(left.minutes)} left"
        self._face.card(turn, place, self._session.is_flagged())

    def _ask_part(self, part: Part) -> None:
        typed = ask_part(self._asker, self._turn, part)
        self._face.typed()
        if isinstance(typed, Command):
            self._do(typed)
        elif not typed:
            self._menu()
        else:
            with busy("checking"):
                answered = self._session.answer(typed)
            self._show_verdict(answered, typed)

    def _show_verdict(self, answered: Answered, typed: str) -> None:
        self._face.verdict(answered, typed)
        if answered.verdict is Verdict.WRONG:
            self._face.say(("  try again, or Enter for a hint and other keys", "label"))

    def _wait_for_reveal(self) -> None:
        pressed = self._asker.key(
            "Enter shows the answer, ? the keys ", [*Command], default=Command.REVEAL
        )
        self._do(Command(pressed))

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
                flagged = self._session.flag()
                self._face.say("flagged" if flagged else "flag taken away")
            case Command.HELP:
                self._face.keys(KEYS)
            case Command.UNDO:
                self._undo()
            case Command.EDIT:
                self._edit_card()
            case Command.IMAGE:
                show_picture(self._workspace, self._face, self._asker)
            case Command.QUIT:
                raise _Leave
            case Command.SKIP:
                self._session.skip()
                raise _Gone
            case Command.SUSPEND:
                self._face.say(f"suspended; `quizzer unsuspend {self._turn.entry.id}`")
                self._session.suspend()
                raise _Gone
            case Command.BURY:
                self._face.say("buried until tomorrow")
                self._session.bury()
                raise _Gone

    def _hint(self) -> None:
        with busy("looking for a hint"):
            text = self._session.hint()
        if text is None:
            self._face.say("no more hints; r reveals the solution")
            return
        turn = self._turn
        self._face.hint(turn.entry, text, turn.hints_shown, len(turn.hints))

    def _reveal(self) -> None:
        judged = bool(self._turn.parts)
        turn = self._session.reveal()
        if judged or not turn.card.short_answer:
            self._face.solution(turn.entry, turn.card)
        else:
            self._face.short_answer(turn.entry, turn.card)
        self._face.parts(turn)

    def _dispute(self) -> None:
        if self._session.dispute():
            self._face.say("noted: it does not count against you; `quizzer stats` lists it")
        else:
            self._face.say("there is no verdict to dispute on this card")

    def _undo(self) -> None:
        undone = self._session.undo()
        if undone is None:
            self._face.say("nothing to undo")
            return
        card, rating = undone
        self._face.say(f"took back {rating.label} on {card}")
        raise _Gone

    def _edit_card(self) -> None:
        try:
            command = editor_command(self._workspace.environ, self._workspace.config.editor)
            open_file(self._turn.entry.path, command)
        except Failure as failure:
            self._face.say(str(failure))
            return
        self._session.reread()
        raise _Gone

    def _rate(self) -> None:
        """Ask for the rating; the suggested one is what Enter takes."""
        suggested = self._session.suggestion()
        whole = bool(self._turn.parts) or not self._turn.card.short_answer
        while True:
            self._face.ratings(self._session.previews(), suggested)
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
            rated = self._session.rate(Rating(int(pressed)))
        except RatedElsewhereError as error:
            again = f"; it comes again in {span(error.now.interval)}" if error.now else ""
            self._face.say(
                ("not saved: ", "unread"),
                f"{card} was rated elsewhere meanwhile{again}. That rating stays.",
            )
            return
        self._face.say(
            (f"saved: {rated.rating.label}", "right"), f", again in {span(rated.interval)}"
        )
        left = self._session.remaining()
        if left.total:
            self._face.say((f"{count(left.total, 'card')} to go, {about(left.minutes)}", "label"))
        if rated.leech:
            self._face.say(("! ", "unread"), advice(rated.asked.turn.entry.id, rated.leech))

    def _summary(self, summary: Summary) -> None:
        self._face.blank()
        if not summary.rated:
            self._face.say(self._nothing(summary))
        else:
            retention = (
                f", {summary.retention:.0%} remembered" if summary.retention is not None else ""
            )
            self._face.say(
                f"{count(summary.rated, 'rating')} on {count(summary.cards, 'card')} "
                f"in {minutes(summary.seconds)}{retention}. All saved."
            )
        if summary.waiting:
            self._face.say(f"{count(summary.waiting, 'card')} in the ten-minute step.")
        if summary.left and self._number:
            cards = count(summary.left, "card")
            self._face.say(f"Left for today: {cards}, {about(summary.left_minutes)}.")
        self._face.say(f"Tomorrow: {count(summary.tomorrow, 'card')} due.")

    def _nothing(self, summary: Summary) -> str:
        """Why there was no rating."""
        if self._number:
            return "Nothing was rated."
        if summary.left:
            cards = f"{count(summary.left, 'card')}, {about(summary.left_minutes)}"
            return f"Today's minutes are spent; {cards} left. More: quizzer review --minutes 20"
        if summary.beyond:
            cards = count(summary.beyond, "card")
            return f"Today's limit leaves {cards} for later. See quizzer config"
        return "Nothing is due now."

    @property
    def _turn(self) -> Turn:
        turn = self._session.turn
        if turn is None:
            raise _Gone
        return turn
