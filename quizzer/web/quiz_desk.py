"""The quiz that a server has open, from its first card to its result; on the history's thread."""

from quizzer.judge.judgement import Answered
from quizzer.session import sentences
from quizzer.session.judging import Judged
from quizzer.session.quiz import Quiz, Result
from quizzer.session.turn import OutdatedTurnError, Turn


class QuizDesk:
    """One quiz; with `at_once`, verdict and solution come after each card."""

    def __init__(self, quiz: Quiz, at_once: bool) -> None:
        self.quiz = quiz
        self.at_once = at_once
        self.result: Result | None = None
        """What was earned, once the quiz is over."""
        self.news: tuple[str, ...] = ()
        """What the last action has to say."""

    def turn(self) -> Turn | None:
        """The card being asked; None once there is a result."""
        if self.result is None and self.quiz.advance() is None:
            self.result = self.quiz.result()
        return None if self.result else self.quiz.turn

    def running(self, number: int) -> Quiz:
        """The quiz, if it is at this turn. Raises OutdatedTurnError."""
        if self.result or self.quiz.number != number:
            raise OutdatedTurnError
        return self.quiz

    def record(self, quiz: Quiz, judged: Judged) -> Answered | None:
        """Record a verdict, unless the time was up before the answer."""
        answered = quiz.record(judged)
        self.news = () if answered else (sentences.TOO_LATE,)
        self._go_on()
        return answered

    def take_back(self, number: int) -> None:
        """The answer will be written anew."""
        self.running(number).take_back(number)
        self.news = ()

    def leave(self, number: int) -> None:
        """Leave the open part unanswered, or a card that nothing judges."""
        quiz = self.running(number)
        if quiz.turn and quiz.turn.part:
            quiz.leave(number)
            self._go_on()
        else:
            self.finish(number)

    def reveal(self, number: int) -> None:
        """Show the solution of a card that nothing judges."""
        quiz = self.running(number)
        if quiz.turn is None or quiz.turn.parts:
            raise OutdatedTurnError
        quiz.reveal(number)
        self.news = ()

    def tick(self, number: int, had: bool) -> None:
        """Say of the open item of a checklist whether the learner had it."""
        self.running(number).tick(number, had)
        self.news = ()

    def take_ticked(self, number: int) -> None:
        """The points of a checklist as they were ticked. Raises OutdatedTurnError before that."""
        turn = self.running(number).turn
        if turn is None or turn.earned is None:
            raise OutdatedTurnError
        self.finish(number, turn.earned.share)

    def finish(self, number: int, share: float | None = None) -> None:
        """Go on to the next card; `share` is what learners give themselves."""
        quiz = self.running(number)
        self.news = (sentences.TIME_IS_UP,) if share is not None and quiz.is_over() else ()
        quiz.finish(number, share)
        self.turn()

    def end(self, number: int) -> None:
        """To the result, with what is left unanswered."""
        self.result = self.running(number).result()
        self.news = ()

    def _go_on(self) -> None:
        """The next card, where nothing is left to ask and nothing to tell."""
        turn = self.quiz.turn
        if turn is None or turn.part or turn.broken:
            return
        if self.at_once and not self.quiz.is_over():
            self.quiz.reveal(self.quiz.number)
        else:
            self.quiz.finish(self.quiz.number)
            self.turn()
