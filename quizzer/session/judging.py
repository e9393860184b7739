"""Judging one part of a card: by its checker in another process, or by its key."""

from pathlib import Path
from typing import Protocol

from quizzer.card import Choice, Number
from quizzer.check.judgement import Answered, Asks, Broken, Judgement
from quizzer.check.plain import judge_choice, judge_number
from quizzer.review import Attempt, Verdict
from quizzer.session.turn import Turn


class Judge(Protocol):
    """Asks and judges by a card's checker, in other processes."""

    def asks(self, checker: Path) -> Asks | Broken: ...

    def judge(
        self, checker: Path, answers: dict[str, str], seed: int, notation: str | None = None
    ) -> Judgement | Broken: ...


def attempt(
    judge: Judge, turn: Turn, text: str, seed: int, notation: str | None = None
) -> tuple[Answered, Attempt]:
    """The verdict on an answer to the part that is asked now, and the fact for the log."""
    part = turn.part
    if part is None:
        raise ValueError("nothing is asked now")
    answered = _judged(judge, turn, part.name, text, seed, notation)
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


def _judged(
    judge: Judge, turn: Turn, name: str, text: str, seed: int, notation: str | None
) -> Answered:
    if turn.asks and turn.entry.checker:
        judged = judge.judge(turn.entry.checker, {name: text}, seed, notation)
        if isinstance(judged, Broken):
            return Answered(name, Verdict.BROKEN, judged.message)
        return judged.answers[0]
    match turn.card.asks:
        case Choice(letters):
            offered = tuple(option.letter for option in turn.card.options)
            return judge_choice(letters, offered, text)
        case Number() as key:
            return judge_number(key, text)
    raise ValueError(f"{turn.entry.id} asks for no answer")
