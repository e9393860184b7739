"""Judging the parts of a card: by its checker in another process, or by its key."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct, field

from quizzer.card import Card, Choice, Number
from quizzer.deck import Entry
from quizzer.judge.judgement import Answered, Broken, Judgement, Question
from quizzer.judge.outcome import Reached
from quizzer.judge.several_lines import may_be_derivation
from quizzer.session.asked import Asked
from quizzer.session.marking import AUTHORS, marked, too_long
from quizzer.session.marks import Marked
from quizzer.session.turn import Outcome, Part, Turn, Unclear
from quizzer.session.way import last_reached, share_of_way, steps_up_to
from quizzer.text import cut
from quizzer.values import Attempt, Verdict

if TYPE_CHECKING:
    from quizzer.card.solved import Solved
    from quizzer.judge.derivation import JudgedLine
    from quizzer.judge.judges import Judge


class Judged(Struct, frozen=True):
    """The verdict on one answer. Nothing is recorded yet, and no turn has changed."""

    number: int
    """The turn that it answers."""
    typed: str
    answers: tuple[Answered, ...]
    """On the part that is asked, or on those that the lines of a derivation reach."""
    attempts: tuple[Attempt, ...]
    """The facts for the log; none for a text that is too long to be judged."""
    at: datetime
    """When the answer was sent: waiting for the verdict is no time on the card."""
    marked: Marked | None = None
    """The lines of a derivation."""
    shares: Mapping[str, float] = field(default_factory=dict)
    """How much of the way to each wrong result was right, where that counts."""

    @property
    def answered(self) -> Answered:
        return self.answers[0]

    @property
    def unclear(self) -> Unclear | None:
        """The answer, where it was not judged because its readings differ."""
        answered = self.answered
        if not answered.readings:
            return None
        return Unclear(answered.name, self.typed, answered.notation, answered.readings, at=self.at)


class Repair(Struct, frozen=True):
    """What judging knows of the hints on a wrong answer."""

    hints: tuple[str, ...]
    """Where one change would make it right, then which; empty if none would."""
    done: tuple[str, ...]
    """The steps of the solution that it has done, which are no hints any more."""


class Examiner:
    """Poses cards, and judges answer after answer, each on fresh instances.

    Those are made while the answer is typed. `judged` and `repair` change nothing here: they may
    run in any thread, however long they take.
    """

    def __init__(self, judge: "Judge", rng: Random) -> None:
        self._judge = judge
        self._rng = rng

    def asks(self, entry: Entry) -> Question | Broken | None:
        """What the card's checker asks; None where it has none."""
        if entry.checker is None:
            return None
        asks = self._judge.question(entry.checker)
        if isinstance(asks, Broken) or not asks.shows:
            return asks
        return self._judge.numbered(entry.checker, asks, self._rng.getrandbits(32))

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
        asked: Asked,
        text: str,
        at: datetime,
        notation: str | None = None,
        reading: str | None = None,
        way_counts: bool = False,
    ) -> Judged:
        """The verdict on a text that was sent at this instant, and the facts for the log.

        `reading` is the one that the learner picked, where the answer has several. `way_counts`
        asks for what a wrong derivation is worth.
        """
        part = asked.turn.part
        if part is None:
            raise ValueError("nothing is asked now")
        if fault := too_long(text):
            return Judged(
                asked.number, text, (Answered(part.name, Verdict.INVALID, fault),), (), at
            )
        found = self._reached(asked, part, text, notation, reading)
        lines = marked(text, found.lines, found.answers)
        attempts = tuple(
            Attempt(
                card=asked.turn.entry.id,
                name=each.name,
                answer=text,
                verdict=each.verdict,
                diagnosis=each.diagnosis.code if each.diagnosis else None,
                notation=each.notation,
                seed=asked.seed,
                reading=reading,
                line=lines.wrong if lines else None,
                step=lines.step if lines else None,
                slip=lines.code if lines else None,
                mistake=_known_mistake(each),
            )
            for each in found.answers
        )
        shares = self._shares(asked, text, found) if way_counts and found.lines else {}
        return Judged(asked.number, text, found.answers, attempts, at, lines, shares)

    def solution(self, asked: Asked) -> "tuple[Solved, Sequence[JudgedLine]]":
        """The card's own solution as a derivation, judged on the instances of the next answer."""
        from quizzer.card.solved import solved

        own, checker = solved(asked.turn.card), asked.turn.entry.checker
        if checker is None or asked.seed is None or not own.text:
            return own, ()
        return own, self._judge.lines(checker, own.text, asked.seed)

    def _shares(self, asked: Asked, text: str, found: Reached) -> dict[str, float]:
        """How much of the way to each wrong result was right."""
        wrong = [each.name for each in found.answers if each.verdict is Verdict.WRONG]
        if not wrong:
            return {}
        from quizzer.judge.closed import given

        _, lines = self.solution(asked)
        contexts = [each.ask.context for each in asked.turn.parts if each.ask and each.ask.context]
        known = frozenset().union(*map(given, contexts))
        return {name: share_of_way(lines, found.lines, name, known) for name in wrong}

    def picked(self, asked: Asked, which: int, way_counts: bool = False) -> Judged:
        """The verdict on the reading with this index of the answer that waits for it."""
        unclear = asked.turn.unclear
        if unclear is None or not 0 <= which < len(unclear.readings):
            raise ValueError("no such reading is asked about")
        reading = unclear.readings[which].text
        typed, at, notation = unclear.typed, unclear.at, unclear.notation
        return self.judged(asked, typed, at, notation, reading, way_counts)

    def repair(self, asked: Asked, attempt: Attempt) -> Repair:
        """What one change would make a wrong answer right, and what of it was done already."""
        checker, done = asked.turn.entry.checker, self._steps_done(asked)
        if checker is None or attempt.seed is None or attempt.verdict is not Verdict.WRONG:
            return Repair((), done)
        wrong = {attempt.name: attempt.reading or attempt.answer}
        repairs = self._judge.repair(checker, wrong, attempt.seed, attempt.notation)
        return Repair(tuple(said for each in repairs for said in (each.where, each.edit)), done)

    def _steps_done(self, asked: Asked) -> tuple[str, ...]:
        """The steps of the solution up to where the last derivation was right."""
        tried, card = asked.turn.last_tried, asked.turn.card
        checker = asked.turn.entry.checker
        if tried is None or tried.marked is None or checker is None or asked.attempt is None:
            return ()
        own, lines = self.solution(asked)
        place = last_reached(
            self._judge.lines(checker, tried.typed, asked.attempt.seed or 0), lines
        )
        return steps_up_to(card.steps, own, lines[place - 1].line) if place else ()

    def _reached(
        self, asked: Asked, part: Part, text: str, notation: str | None, reading: str | None
    ) -> Reached:
        """The verdict on the part, or on every open part that the lines of a derivation give."""
        turn, seed = asked.turn, asked.seed
        if turn.short:
            return Reached((turn.short.judged(part.name, text),))
        checker = turn.entry.checker
        if checker is not None and seed is not None:
            found: Reached | Judgement | Broken
            among = {
                each.name: each.ask.context
                for each in turn.parts
                if each.outcome is Outcome.OPEN and each.ask and each.ask.context
            }
            names_one = len(among) > 1 and "=" in text and notation != "numpy"
            if may_be_derivation(text, notation) or names_one:
                found = self._judge.reached(
                    checker, text, seed, part.name, among, notation, reading
                )
            else:
                found = self._judge.judge(checker, {part.name: text}, seed, notation, reading)
            if isinstance(found, Broken):
                return Reached((Answered(part.name, Verdict.BROKEN, found.message),))
            return found if isinstance(found, Reached) else Reached(found.answers)
        by_key = judged_by_key(turn.card, text)
        if by_key is None:
            raise ValueError(f"{turn.entry.id} asks for no answer")
        return Reached((by_key,))


def _known_mistake(answered: Answered) -> str | None:
    """What the card's author says about a mistake that they foresaw."""
    found = answered.diagnosis
    if found is None or answered.verdict is not Verdict.WRONG or found.code not in AUTHORS:
        return None
    return cut(found.message, 200) or None


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
