"""What a learner does with the card of a daily session before it is rated, and what is logged."""

from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.judge.judgement import Answered
from quizzer.plan.settings import SAY_ALL
from quizzer.session.asked import Asked
from quizzer.session.asking import Asking
from quizzer.session.day import Day
from quizzer.session.judging import Judged, Repair
from quizzer.session.marks import Marked
from quizzer.session.moves import Predicted
from quizzer.session.turn import OutdatedTurnError, Turn
from quizzer.values import Clock, Dispute, Verdict

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge


class Trying(Asking):
    """Tries, hints, disputes and the solution, on the history and the day of each moment."""

    def __init__(self, judge: "Judge", clock: Clock, rng: Random, after: int, day: Day) -> None:
        super().__init__(judge, clock, rng, after)
        self._day = day

    def record(self, judged: Judged) -> Answered:
        """Log the attempt and take its verdict into the turn; only a wrong one counts as a try.

        An answer with readings that differ is not judged: the turn asks which one is meant, and
        nothing is logged. A verdict on an answer to another turn is refused.
        """
        asked = self._act(judged.number).worked(judged.at)
        if judged.unclear:
            self._ask(replace(asked, turn=asked.turn.asking_back(judged.unclear)))
            return judged.answered
        turn = asked.turn.tried(
            judged.typed, judged.answered, judged.answers[1:], self._as_said(judged.marked)
        )
        attempts = [replace(each, seconds=asked.counted) for each in judged.attempts]
        for each in attempts:
            self._day.record(each)
        wrong = (each for each in attempts if each.verdict is Verdict.WRONG)
        last = next(wrong, attempts[0] if attempts else None)
        seed = self._examiner.seed(turn)
        self._ask(replace(asked, turn=turn, attempt=last, repaired=False, seed=seed))
        return judged.answered

    def answer(self, number: int, text: str, notation: str | None = None) -> Answered:
        """Judge an answer, wait for the verdict, and record it."""
        return self.record(self.judge(number, text, notation))

    def repair(self, number: int) -> Repair | None:
        """What the last wrong answer adds to the hints and takes from them, in whatever thread.

        None where it is not the time for that: it comes after the author's own hints, and before
        the solution's steps.
        """
        asked = self._at(number)
        if asked.turn.hints_shown < asked.turn.own_hints or not asked.attempt or asked.repaired:
            return None
        return self._examiner.repair(asked, asked.attempt)

    def hint(self, number: int) -> str | None:
        """Look for a repair, wait for it, and give one more hint."""
        return self.next_hint(number, self.repair(number))

    def next_hint(self, number: int, repair: Repair | None) -> str | None:
        """One more hint, or None when all were given."""
        asked = self._at(number).worked(self._clock())
        turn = asked.turn
        if repair is not None:
            turn = turn.past_steps(repair.done).with_hints(repair.hints)
            asked = replace(asked, repaired=True)
        hinted = turn.hint()
        self._ask(replace(asked, turn=hinted))
        return None if hinted is turn else hinted.hints[hinted.hints_shown - 1]

    def predict(self, number: int, which: int) -> Predicted:
        """Say what the next step of a worked solution will be, by the index of a choice, and see
        it. Nothing is recorded, and no rating depends on it."""
        asked = self._at(number).worked(self._clock())
        prediction = asked.turn.prediction
        if prediction is None or not 0 <= which < len(prediction.choices):
            raise OutdatedTurnError
        turn = asked.turn.predict(prediction.choices[which])
        self._ask(replace(asked, turn=turn))
        return turn.predicted[-1]

    def reveal(self, number: int) -> Turn:
        """The solution may be shown, and the card waits for a rating."""
        asked = self._at(number).worked(self._clock())
        turn = asked.turn.reveal()
        self._ask(replace(asked, turn=turn))
        return turn

    def dispute(self, number: int) -> bool:
        """Log that the learner disagrees with the last verdict on this card.

        It no longer counts against them. False when there is no verdict to dispute.
        """
        asked = self._act(number)
        last = asked.attempt
        if last is None:
            return False
        turn = asked.turn.disputed(last.name, last.verdict)
        self._day.record(Dispute(last.card, last.name, last.answer, last.verdict, last.seed))
        self._ask(replace(asked.worked(self._clock()), turn=turn, attempt=None))
        return True

    def _act(self, number: int) -> Asked:
        """The same for an action that writes: on the history and the day of this moment."""
        self._at(number)
        self._catch_up()
        return self._at(number)

    def _catch_up(self) -> None:
        """Go on with the history and the day of this moment."""
        raise NotImplementedError

    def _as_said(self, marked: Marked | None) -> Marked | None:
        """The lines of a derivation with as much as the learner wants to hear at once."""
        return marked.with_slip() if marked and self._day.settings.say == SAY_ALL else marked
