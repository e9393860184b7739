"""The quiz at the terminal: one answer a part, the clock, and the result page."""

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.ask import Asker
from quizzer.cli.terminal.face import Face
from quizzer.cli.terminal.parts import ask_part, ask_reading, tick
from quizzer.cli.terminal.viewer import show_picture
from quizzer.cli.terminal.waiting import busy
from quizzer.judge.judgement import Answered
from quizzer.session import sentences
from quizzer.session.commands import Command
from quizzer.session.quiz import SHARES, Item, Quiz, Result
from quizzer.session.turn import Turn, Unclear
from quizzer.text import minutes
from quizzer.values import Verdict


class TerminalQuiz:
    """The face of a quiz; with `at_once`, verdict and solution come after each card."""

    def __init__(self, workspace: Workspace, quiz: Quiz, *, plain: bool, at_once: bool) -> None:
        self._workspace = workspace
        self._quiz = quiz
        self._at_once = at_once
        self._face = Face(workspace, plain=plain)
        self._asker = Asker(workspace, plain=plain)

    def run(self) -> None:
        """From the first card to the result page, also after Ctrl-C or when time is up."""
        try:
            while self._advance():
                self._card()
        except EOFError:
            pass
        except KeyboardInterrupt:
            self._results(self._quiz.result())
            raise
        self._results(self._quiz.result())

    def _advance(self) -> Turn | None:
        with busy("getting the next card ready"):
            return self._quiz.advance()

    def _card(self) -> None:
        turn = self._turn
        self._asker.forget()
        place, total = self._quiz.place
        left = self._quiz.left()
        clock = f" · {minutes(left.total_seconds())} left" if left is not None else ""
        self._face.card(turn, f"{place} of {total}{clock}")
        while self._turn.part:
            if answer := self._turn.unclear:
                self._reading(answer)
            else:
                self._part()
        share = None if self._turn.parts or self._turn.broken else self._self_assessment()
        turn = self._turn
        item = self._quiz.finish(self._quiz.number, share)
        if self._at_once and turn.parts:
            self._face.solution(turn.entry, turn.card)
            self._face.values(turn.asks)
            self._face.parts(turn)
            self._face.print_line(sentences.earned(item))

    def _part(self) -> None:
        turn, part = self._turn, self._turn.part
        assert part is not None
        try:
            typed = ask_part(self._asker, turn, part)
        finally:
            self._face.typed()
        if typed is Command.QUIT:
            raise EOFError
        if typed is Command.IMAGE:
            show_picture(self._workspace, self._face, self._asker)
            return
        if isinstance(typed, Command) or not typed:
            images = "[i]mage, " if self._face.pictures else ""
            pressed = self._asker.key(
                f"[s]kip this part, {images}[q]uit and see the result, Enter goes back ",
                "siq",
                default="",
            )
            if pressed == "s":
                self._quiz.leave(self._quiz.number)
            elif pressed == "i":
                show_picture(self._workspace, self._face, self._asker)
            elif pressed == "q":
                raise EOFError
            return
        with busy("checking"):
            answered = self._quiz.answer(self._quiz.number, typed)
        self._show_verdict(answered)

    def _reading(self, answer: Unclear) -> None:
        which = ask_reading(self._asker, self._face, answer)
        if which is None:
            self._quiz.take_back(self._quiz.number)
            return
        with busy("checking"):
            judged = self._quiz.judge_reading(self._quiz.number, which)
            answered = self._quiz.record(judged)
        self._show_verdict(answered)

    def _show_verdict(self, answered: Answered | None) -> None:
        tried = self._turn.last_tried
        if answered is None:
            self._face.print_line(sentences.TOO_LATE)
        elif self._turn.unclear or tried is None:
            return  # nothing is judged yet
        elif self._at_once or answered.verdict not in (Verdict.CORRECT, Verdict.WRONG):
            if tried.marked and self._turn.to_mend is None:
                self._face.marked(tried.marked)
            self._face.tried(tried)

    def _self_assessment(self) -> float | None:
        """Reveal, and let the learner rate their own answer: nothing here can be judged."""
        turn = self._turn
        pressed = self._asker.key("Enter shows the answer, [s]kip, [q]uit ", "sqr", default="r")
        if pressed == "q":
            raise EOFError
        if pressed == "s":
            return None
        self._quiz.reveal(self._quiz.number)
        self._face.solution(turn.entry, turn.card)
        if self._quiz.is_over():
            self._face.print_line(sentences.TIME_IS_UP)
            return None
        tick(self._asker, self._face, self._quiz)
        had = self._turn.earned
        enter = f"Enter takes {sentences.ticked(self._turn)}, " if had else ""
        marked = self._asker.key(
            f"Your own mark: {enter}0 nothing, 1 a quarter, 2 half, 3 three quarters, 4 all ",
            [*SHARES],
            default="" if had else None,
            considered=True,
        )
        return SHARES[marked] if marked or not had else had.share

    def _results(self, result: Result) -> None:
        self._face.blank()
        for number, item in enumerate(result.items, 1):
            self._face.print_line(_line(number, item))
        self._face.blank()
        earned, time = sentences.result(result)
        self._face.print_line((earned, "key"), f" {time}")
        for line in sentences.result_by_basis(result):
            self._face.print_line(f"  {line}")
        self._face.print_line(sentences.SCHEDULE_UNCHANGED)

    @property
    def _turn(self) -> Turn:
        turn = self._quiz.turn
        assert turn is not None
        return turn


def _line(number: int, item: Item) -> str:
    header = item.entry.header
    earned = f"{item.earned:g}/{item.points:g}"
    return f"{number:>3}  {earned:>7}  {item.basis.value:<14} {header.id}"
