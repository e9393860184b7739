"""Answers from a script, judged all at once by a card's checker or key."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from quizzer.card import Card, Choice, Number
from quizzer.judge.judgement import Answered, Broken, Judgement
from quizzer.judge.pieces import shows_pieces
from quizzer.session.given import CHOICE, NUMBER, AnswersError, Given, by_name
from quizzer.values import Rating, Verdict

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine
    from quizzer.judge.judges import Judge

NUMPY = "numpy"


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement of answers to a card, and all the names that the card asks."""

    judgement: Judgement
    asked: Sequence[str]
    lines: "Mapping[str, tuple[JudgedLine, ...]]" = field(default_factory=dict)
    """By asked name, the lines of an answer that has more than one."""

    @property
    def missing(self) -> list[str]:
        answered = {answer.name for answer in self.judgement.answers}
        return [name for name in self.asked if name not in answered]

    @property
    def suggestion(self) -> Rating | None:
        """A script has one try: Good if all that is asked is right, Again if something is wrong."""
        if self.judgement.verdict is Verdict.WRONG:
            return Rating.AGAIN
        complete = self.judgement.verdict is Verdict.CORRECT and not self.missing
        return Rating.GOOD if complete else None


def by_checker(
    judge: "Judge",
    checker: Path,
    given: Sequence[Given],
    seed: int,
    notation: str | None,
    during: Callable[[str], AbstractContextManager[object]] = nullcontext,
) -> Judged:
    """The judgement on the answers given. Raises AnswersError.

    `during` is entered with what is being done.
    """
    with during("getting the checker ready"):
        pieces = {_base(answer.name) for answer in given if shows_pieces(answer.judged)}
        names = judge.names(checker, seed, pieces)
    if isinstance(names, Broken):
        return broken(names, [answer.name or "answer" for answer in given], seed)
    named = by_name(given, names)
    with during("checking"):
        texts = {name: answer.judged for name, answer in named.items()}
        found = judge.judge(checker, texts, seed, notation)
    if isinstance(found, Broken):
        return broken(found, named, seed, names)
    with during("checking its lines"):
        lines = {
            answered.name: judge.lines(checker, derivation, seed)
            for answered, answer in zip(found.answers, named.values(), strict=True)
            if (derivation := _derivation(answered, answer))
        }
    return Judged(_placed(found, named.values()), names, lines)


def _base(name: str) -> str:
    """A name without its indices: `dx` of `dx[i]`."""
    return name.partition("[")[0].strip()


def _derivation(answered: Answered, answer: Given) -> str:
    """The text of an answer whose lines can be judged one by one; else nothing."""
    text = answer.judged
    judged = answered.verdict in (Verdict.CORRECT, Verdict.WRONG)
    if not judged or answered.notation == NUMPY or "\n" not in text.strip():
        return ""
    return text if "=" in text.partition("\n")[0] else f"{answered.name} = {text}"


def asked_by_key(card: Card) -> str:
    """What a card without a checker asks for. Raises AnswersError if it has no key either."""
    match card.asks:
        case Choice():
            return CHOICE
        case Number():
            return NUMBER
        case _:
            raise AnswersError(
                f"{card.header.id} has nothing that can be judged: no checker, no key. "
                f"`quizzer show {card.header.id}` shows its solution."
            )


def by_key(card: Card, given: Sequence[Given], seed: int) -> Judged:
    """The judgement on the one answer to a card without a checker. Raises AnswersError."""
    from quizzer.session.judging import judged_by_key

    asked = asked_by_key(card)
    named = by_name(given, [asked])
    if list(named) != [asked]:
        text = next(iter(named.values())).text
        raise AnswersError(f"this card asks for `{asked}`: write {asked}={text}")
    answered = judged_by_key(card, named[asked].judged)
    assert answered is not None
    return Judged(Judgement(seed, (answered,)), [asked])


def broken(why: Broken, names: Iterable[str], seed: int, asked: Sequence[str] = ()) -> Judged:
    """The same for all names; if nothing was answered, for the card as a whole."""
    answered = [Answered(name, Verdict.BROKEN, why.message) for name in dict.fromkeys(names)]
    nothing = Answered("answer", Verdict.BROKEN, why.message)
    return Judged(Judgement(seed, tuple(answered) or (nothing,)), asked)


def _placed(judged: Judgement, given: Iterable[Given]) -> Judgement:
    """The judgement with places as in the arguments or the file, in the same order."""
    answers = []
    for answered, answer in zip(judged.answers, given, strict=True):
        line, column = answer.place(answered.line, answered.column)
        answers.append(replace(answered, line=line, column=column))
    return replace(judged, answers=tuple(answers))
