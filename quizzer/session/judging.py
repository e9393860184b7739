"""Judging the parts of a card: by its checker in another process, or by its key."""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from quizzer.card import Card, Choice, Number
from quizzer.deck import Entry
from quizzer.judge.judgement import Answered, Broken, Question
from quizzer.judge.plain import judge_choice, judge_number
from quizzer.session.turn import Turn
from quizzer.values import Attempt, Verdict

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge


class Examiner:
    """Judges answer after answer, each on fresh instances that were made while it was typed."""

    def __init__(self, judge: "Judge", rng: Random) -> None:
        self._judge = judge
        self._rng = rng
        self._seed = 0

    def asks(self, entry: Entry) -> Question | Broken | None:
        """What the card's checker asks; None where it has none."""
        if entry.checker is None:
            return None
        asks = self._judge.question(entry.checker)
        self._prepare(entry.checker)
        return asks

    def judged(
        self, turn: Turn, text: str, notation: str | None = None
    ) -> tuple[Answered, Attempt]:
        """The verdict on an answer to the part that is asked now, and the fact for the log."""
        part = turn.part
        if part is None:
            raise ValueError("nothing is asked now")
        seed = self._seed
        answered = self._verdict(turn, part.name, text, notation)
        fact = Attempt(
            card=turn.entry.id,
            name=part.name,
            answer=text,
            verdict=answered.verdict,
            diagnosis=answered.diagnosis.code if answered.diagnosis else None,
            notation=answered.notation,
            seed=seed if part.ask else None,
        )
        return answered, fact

    def repair(self, entry: Entry, attempt: Attempt) -> tuple[str, ...]:
        """Where one change would make a wrong answer right, then which; empty if none would."""
        if entry.checker is None or attempt.seed is None or attempt.verdict is not Verdict.WRONG:
            return ()
        wrong = {attempt.name: attempt.answer}
        repairs = self._judge.repair(entry.checker, wrong, attempt.seed, attempt.notation)
        return tuple(sentence for each in repairs for sentence in (each.where, each.edit))

    def _verdict(self, turn: Turn, name: str, text: str, notation: str | None) -> Answered:
        if turn.asks and (checker := turn.entry.checker):
            judged = self._judge.judge(checker, {name: text}, self._seed, notation)
            if isinstance(judged, Broken):
                return Answered(name, Verdict.BROKEN, judged.message)
            (answered,) = judged.answers
            if turn.answered(name, answered.verdict).part:
                self._prepare(checker)
            return answered
        by_key = judged_by_key(turn.card, text)
        if by_key is None:
            raise ValueError(f"{turn.entry.id} asks for no answer")
        return by_key

    def _prepare(self, checker: Path) -> None:
        self._seed = self._rng.getrandbits(32)
        self._judge.prepare(checker, self._seed)


def judged_by_key(card: Card, text: str) -> Answered | None:
    """The verdict by the card's own key; None where there is nothing to judge by."""
    match card.asks:
        case Choice(letters):
            return judge_choice(letters, tuple(option.letter for option in card.options), text)
        case Number() as key:
            return judge_number(key, text)
        case _:
            return None
