"""Answers from a script, judged all at once by a card's checker or key."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.card import Card, Choice, Number
from quizzer.judge.judgement import Answered, Broken, Judgement, Question
from quizzer.judge.outcome import Reached
from quizzer.judge.pieces import shows_pieces
from quizzer.judge.several_lines import may_be_derivation
from quizzer.session.given import CHOICE, NUMBER, AnswersError, Given, by_name
from quizzer.values import Rating, Verdict

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine
    from quizzer.judge.judges import Judge


class Judged(Struct, frozen=True):
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
    every: bool = True,
) -> Judged:
    """The judgement on the answers given. Raises AnswersError.

    A derivation settles `every` asked name that it reaches, or else its own alone. `during` is
    entered with what is being done.
    """
    with during("getting the checker ready"):
        names = judge.names(checker, seed, _with_pieces(given))
    if isinstance(names, Broken):
        return broken(names, [answer.name or "answer" for answer in given], seed)
    named = by_name(given, names)
    judgements: list[Answered] = []
    lines: dict[str, tuple[JudgedLine, ...]] = {}
    with during("checking"):
        for name, each in named.items():
            others = [other for other in names if other not in named] if every else []
            found = _judged(judge, checker, [name, *others], each, seed, notation)
            if isinstance(found, Broken):
                return broken(found, named, seed, names)
            new = [answer for answer in found.answers if answer.name not in _names(judgements)]
            judgements += [_placed(answer, each) for answer in new]
            if found.lines and new:
                lines[new[0].name] = found.lines
    return Judged(Judgement(seed, tuple(judgements)), names, lines)


def judge_together(
    judge: "Judge", checker: Path, given: Sequence[Given], seed: int, notation: str | None
) -> None:
    """Judge formulas that all answer to one name with less work than one by one: `by_checker` then
    finds their verdicts, where the judge keeps some. Raises AnswersError."""
    names = judge.names(checker, seed, _with_pieces(given), at_once=True)
    if isinstance(names, Broken):
        return
    texts: dict[str, list[str]] = {}
    for answer in given:
        for name, each in by_name([answer], names).items():
            if not may_be_derivation(each.judged, notation):
                texts.setdefault(name, []).append(each.judged)
    for name, each_of in texts.items():
        judge.judge_together(checker, name, dict.fromkeys(each_of), seed, notation)


def _names(answers: Iterable[Answered]) -> set[str]:
    return {answer.name for answer in answers}


def _judged(
    judge: "Judge",
    checker: Path,
    names: Sequence[str],
    answer: Given,
    seed: int,
    notation: str | None,
) -> Reached | Broken:
    """The verdict on one answer to the first of these names, and on the others that its lines
    reach if it is a derivation, with its lines."""
    asks = judge.question(checker) if may_be_derivation(answer.judged, notation) else None
    if isinstance(asks, Question):
        contexts = {each.name: each.context for each in asks.asked}
        among = {name: context for name in names if (context := contexts.get(name))}
        found = judge.reached(checker, answer.judged, seed, names[0], among, notation)
        if isinstance(found, Broken) or not answer.begins_elsewhere:
            return found
        if any(line.asked in among for line in found.lines):
            return found
        said = f"None of these lines gives what is asked: {', '.join(names)}."
        unread = next((line.message for line in found.lines if line.mark == "unread"), "")
        answered = Answered(names[0], Verdict.INVALID, f"{said} {unread}".strip())
        return Reached((answered,), found.lines)
    alone = judge.judge(checker, {names[0]: answer.judged}, seed, notation)
    return alone if isinstance(alone, Broken) else Reached(alone.answers)


def _with_pieces(given: Iterable[Given]) -> set[str]:
    """The names of answers that are likely to have pieces of their own."""
    return {_base(answer.name) for answer in given if shows_pieces(answer.judged)}


def _base(name: str) -> str:
    """A name without its indices: `dx` of `dx[i]`."""
    return name.partition("[")[0].strip()


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


def _placed(answered: Answered, given: Given) -> Answered:
    """The same with its place as in the argument or the file."""
    line, column = given.place(answered.line, answered.column)
    return replace(answered, line=line, column=column)
