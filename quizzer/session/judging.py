"""Judging one part of a card: by its checker in another process, or by its key."""

from pathlib import Path
from typing import Protocol

from quizzer.card import Choice, Number
from quizzer.check.judgement import Answered, Asks, Broken, Judgement
from quizzer.check.plain import judge_choice, judge_number
from quizzer.review import Verdict
from quizzer.session.turn import Turn


class Judge(Protocol):
    """Asks and judges by a card's checker, in other processes."""

    def asks(self, checker: Path) -> Asks | Broken: ...

    def judge(
        self, checker: Path, answers: dict[str, str], seed: int, notation: str | None = None
    ) -> Judgement | Broken: ...


def judge_part(
    judge: Judge, turn: Turn, name: str, text: str, seed: int, notation: str | None = None
) -> Answered:
    """The verdict on one answer to the named part of this turn."""
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
