"""What quizzer makes of the outside answers: many at once, as few processes as possible."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from corpus.outside_answers import Answer, answers

from quizzer.checker.answer import Evaluated
from quizzer.checker.remote import CheckerBroken, RemoteChecker
from quizzer.judge.accept import remark_on
from quizzer.judge.case import Case, evaluate
from quizzer.judge.judge import verdict
from quizzer.judge.judgement import Answered
from quizzer.judge.prepared import Prepared
from quizzer.sandbox.worker import Worker
from quizzer.values import Verdict

SECONDS = 30.0


@dataclass(slots=True)
class Tally:
    """Verdicts by what an answer is and how it is written, and every answer that they wrong."""

    verdicts: Counter[tuple[bool, str, Verdict]] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    not_read: dict[str, str] = field(default_factory=dict)

    def add(self, answer: Answer, answered: Answered) -> None:
        self.verdicts[answer.right, answer.written_in, answered.verdict] += 1
        if is_failure(answer, answered):
            self.failures[f"{answered.verdict.value}: {answer}"] += 1
        elif answered.verdict is Verdict.INVALID and answer.right:
            self.not_read[str(answer)] = answered.message

    def update(self, other: "Tally") -> None:
        self.verdicts.update(other.verdicts)
        self.failures.update(other.failures)
        self.not_read.update(other.not_read)


def is_failure(answer: Answer, answered: Answered) -> bool:
    """Right called wrong or wrong called right; what is not read is neither."""
    return answered.verdict is (Verdict.WRONG if answer.right else Verdict.CORRECT)


def tally(worker: Worker, path: Path, seeds: Iterable[int]) -> Tally:
    """All answers to one checker; a checker that is broken is a failure a seed."""
    found = Tally()
    checker = RemoteChecker(worker, path.name, path.read_text("utf-8"), SECONDS)
    for seed in seeds:
        try:
            for answer, answered in verdicts(checker, path, seed):
                found.add(answer, answered)
        except CheckerBroken as broken:
            found.failures[f"broken: {broken}"] += 1
    return found


def verdicts(checker: RemoteChecker, path: Path, seed: int) -> Iterator[tuple[Answer, Answered]]:
    """Each answer beside a checker and its verdict. Raises CheckerBroken."""
    prepared = Prepared(checker, seed)
    for answer, case, evaluated in _evaluated(prepared, path):
        yield answer, verdict(prepared, case, evaluated, answer.text)


def suspects(checker: RemoteChecker, path: Path, seed: int) -> list[str]:
    """Right answers called wrong, and wrong ones right, by their arrays on a few problems.

    Only of what looks wrong there the whole verdict is taken. Raises CheckerBroken.
    """
    prepared = Prepared(checker, seed)
    return [
        str(answer)
        for answer, case, evaluated in _evaluated(prepared, path)
        if evaluated.invalid is None
        and (remark_on(case, evaluated.values) is not None) != answer.right
        and is_failure(answer, verdict(prepared, case, evaluated, answer.text))
    ]


def _evaluated(prepared: Prepared, path: Path) -> Iterator[tuple[Answer, Case, Evaluated]]:
    given = list(answers(path))
    assert {answer.asked for answer in given} == set(prepared.posed().sheet.asked), path
    for asked in prepared.posed().sheet.asked:
        mine = [answer for answer in given if answer.asked == asked]
        case = prepared.case(asked)
        found = evaluate(prepared.checker, case, [answer.text for answer in mine])
        for answer, evaluated in zip(mine, found, strict=True):
            yield answer, case, evaluated
