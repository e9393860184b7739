"""Judging the parts of a card: by its checker in another process, or by its key."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING

from quizzer.card import Card, Choice, Number
from quizzer.deck import Entry
from quizzer.judge.judgement import Answered, Broken, Question
from quizzer.session.asked import Asked
from quizzer.session.door import Door, Doors
from quizzer.session.turn import Turn, Unclear
from quizzer.values import Attempt, Form, Verdict

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one answer. Nothing is recorded yet, and no turn has changed."""

    number: int
    """The turn that it answers."""
    typed: str
    answered: Answered
    attempt: Attempt
    at: datetime
    """When the answer was sent: waiting for the verdict is no time on the card."""

    @property
    def unclear(self) -> Unclear | None:
        """The answer, where it was not judged because its readings differ."""
        answered = self.answered
        if not answered.readings:
            return None
        return Unclear(answered.name, self.typed, answered.notation, answered.readings, at=self.at)


class Examiner:
    """Poses cards, and judges answer after answer, each on fresh instances.

    Those are made while the answer is typed. `judged` and `repair` change nothing here: they may
    run in any thread, however long they take.
    """

    def __init__(self, judge: "Judge", rng: Random) -> None:
        self._judge = judge
        self._rng = rng
        self._doors = Doors(judge, rng)

    def asks(self, entry: Entry) -> Question | Broken | None:
        """What the card's checker asks; None where it has none."""
        if entry.checker is None:
            return None
        asks = self._judge.question(entry.checker)
        if isinstance(asks, Broken) or not asks.shows:
            return asks
        return self._judge.numbered(entry.checker, asks, self._rng.getrandbits(32))

    def door(
        self, entry: Entry, card: Card, wanted: Sequence[Form], prefer: Collection[str] = ()
    ) -> Door | None:
        """The first of the wanted short forms that the card can have."""
        if entry.checker is None:
            return None
        return self._doors.door(entry.checker, card, wanted, prefer)

    def seed(self, turn: Turn) -> int | None:
        """A seed for the next answer, whose instances are begun; None where none are needed.

        Where the question shows numbers it is theirs, so that the log tells which they were.
        """
        checker = turn.entry.checker
        if checker is None or turn.part is None or turn.part.ask is None:
            return None
        shown = turn.asks.seed if turn.asks else None
        seed = self._rng.getrandbits(32) if shown is None else shown
        self._judge.prepare(checker, seed)
        return seed

    def judged(
        self,
        turn: Turn,
        seed: int | None,
        text: str,
        notation: str | None = None,
        reading: str | None = None,
    ) -> tuple[Answered, Attempt]:
        """The verdict on an answer to the part that is asked now, and the fact for the log.

        `reading` is the one that the learner picked, where the answer has several.
        """
        part = turn.part
        if part is None:
            raise ValueError("nothing is asked now")
        if turn.door:
            answered = turn.door.judged(part.name, text)
        else:
            answered = self._verdict(turn, seed, part.name, text, notation, reading)
        attempt = Attempt(
            card=turn.entry.id,
            name=part.name,
            answer=text,
            verdict=answered.verdict,
            diagnosis=answered.diagnosis.code if answered.diagnosis else None,
            notation=answered.notation,
            seed=seed,
            reading=reading,
        )
        return answered, attempt

    def picked(self, asked: Asked, which: int) -> Judged:
        """The verdict on the reading with this index of the answer that waits for it."""
        unclear = asked.turn.unclear
        if unclear is None or not 0 <= which < len(unclear.readings):
            raise ValueError("no such reading is asked about")
        reading = unclear.readings[which].text
        answered, attempt = self.judged(
            asked.turn, asked.seed, unclear.typed, unclear.notation, reading
        )
        return Judged(asked.number, unclear.typed, answered, attempt, unclear.at)

    def repair(self, entry: Entry, attempt: Attempt) -> tuple[str, ...]:
        """Where one change would make a wrong answer right, then which; empty if none would."""
        if entry.checker is None or attempt.seed is None or attempt.verdict is not Verdict.WRONG:
            return ()
        wrong = {attempt.name: attempt.reading or attempt.answer}
        repairs = self._judge.repair(entry.checker, wrong, attempt.seed, attempt.notation)
        return tuple(sentence for each in repairs for sentence in (each.where, each.edit))

    def _verdict(
        self,
        turn: Turn,
        seed: int | None,
        name: str,
        text: str,
        notation: str | None,
        reading: str | None,
    ) -> Answered:
        checker = turn.entry.checker
        if checker is not None and seed is not None:
            judged = self._judge.judge(checker, {name: text}, seed, notation, reading)
            if isinstance(judged, Broken):
                return Answered(name, Verdict.BROKEN, judged.message)
            (answered,) = judged.answers
            return answered
        by_key = judged_by_key(turn.card, text)
        if by_key is None:
            raise ValueError(f"{turn.entry.id} asks for no answer")
        return by_key


def judged_by_key(card: Card, text: str) -> Answered | None:
    """The verdict by the card's own key; None where there is nothing to judge by."""
    from quizzer.judge.plain import judge_choice, judge_number

    match card.asks:
        case Choice(letters):
            return judge_choice(letters, tuple(option.letter for option in card.options), text)
        case Number() as key:
            return judge_number(key, text)
        case _:
            return None
