"""Answers from a script, judged by a card's checker or key, and the JSON document that says so."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from quizzer.card import Card
from quizzer.cli.given import Given, by_name
from quizzer.deck import Entry
from quizzer.judge.judgement import Answered, Broken, Judgement, View
from quizzer.values import Verdict

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement of answers to a card, and all the names that the card asks."""

    judgement: Judgement
    asked: Sequence[str]

    @property
    def missing(self) -> list[str]:
        answered = {answer.name for answer in self.judgement.answers}
        return [name for name in self.asked if name not in answered]


def by_checker(
    judge: "Judge",
    checker: Path,
    given: Sequence[Given],
    seed: int,
    notation: str | None,
    during: Callable[[str], AbstractContextManager[object]] = nullcontext,
) -> Judged:
    """The judgement on the answers given. Raises Usage.

    `during` is entered with what is being done.
    """
    with during("getting the checker ready"):
        names = judge.names(checker, seed)
    if isinstance(names, Broken):
        return broken(names, [answer.name or "answer" for answer in given], seed)
    named = by_name(given, names)
    with during("checking"):
        texts = {name: answer.judged for name, answer in named.items()}
        found = judge.judge(checker, texts, seed, notation)
    if isinstance(found, Broken):
        return broken(found, named, seed, names)
    return Judged(_placed(found, named.values()), names)


def by_key(entry: Entry, card: Card, given: Sequence[Given], seed: int) -> Judged:
    """The judgement on the one answer to a card without a checker. Raises Usage, typer.Exit."""
    from quizzer.cli.keyed import answered_by_key

    answered = answered_by_key(entry, card, given)
    return Judged(Judgement(seed, (answered,)), [answered.name])


def broken(why: Broken, names: Iterable[str], seed: int, asked: Sequence[str] = ()) -> Judged:
    """The same for all names; where nothing was answered, for the card as a whole."""
    answered = [Answered(name, Verdict.BROKEN, why.message) for name in dict.fromkeys(names)]
    nothing = Answered("answer", Verdict.BROKEN, why.message)
    return Judged(Judgement(seed, tuple(answered) or (nothing,)), asked)


def document(card: str, judged: Judged) -> dict[str, object]:
    """What `verify --json` says of a judgement; `card` is its id."""
    judgement = judged.judgement
    return {
        "card": card,
        "verdict": judgement.verdict.value,
        "seed": judgement.seed,
        "answers": [
            {
                "name": answered.name,
                "verdict": answered.verdict.value,
                "notation": answered.notation,
                "message": answered.message,
                "diagnosis": {
                    "code": answered.diagnosis.code,
                    "message": answered.diagnosis.message,
                }
                if answered.diagnosis
                else None,
                "line": answered.line,
                "column": answered.column,
                "shape": _listed(answered.shape),
                "expected_shape": _listed(answered.expected_shape),
                "view": _view(answered.view) if answered.view else None,
            }
            for answered in judgement.answers
        ],
        "missing": judged.missing,
        "suggested_rating": _suggested(judged),
    }


def _suggested(judged: Judged) -> str | None:
    """A script has one try: Good when all that is asked is right, Again when something is wrong."""
    from quizzer.values import Rating

    verdict = judged.judgement.verdict
    if verdict is Verdict.WRONG:
        return Rating.AGAIN.label
    if verdict is Verdict.CORRECT and not judged.missing:
        return Rating.GOOD.label
    return None


def _listed(shape: tuple[int, ...] | None) -> list[int] | None:
    return None if shape is None else list(shape)


def _view(view: View) -> dict[str, object]:
    return {
        "slice": view.place,
        "got": view.got,
        "expected": view.expected,
        "differs": view.differs,
    }


def _placed(judged: Judgement, given: Iterable[Given]) -> Judgement:
    """The judgement with places as they are in the arguments or the file, in the same order."""
    answers = []
    for answered, answer in zip(judged.answers, given, strict=True):
        line, column = answer.place(answered.line, answered.column)
        answers.append(replace(answered, line=line, column=column))
    return replace(judged, answers=tuple(answers))
