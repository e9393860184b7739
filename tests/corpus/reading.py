"""The corpus: checkers beside this file, each with right and wrong answers and what to say of them.

A checker of the corpus is an ordinary one with two more names. `remarks`: asked name -> code of the
remark -> answers that are right with it. `mistakes`: asked name -> code of the diagnosis -> answers
that are wrong. `right` holds what must be accepted without a remark.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from quizzer.judge.judgement import Broken
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

FOLDERS = ("calculus", "layers", "losses", "models", "sequences")
"""Those of checkers; the others hold answers and cards of other tests."""
CHECKERS = [
    file
    for folder in FOLDERS
    for file in sorted(Path(__file__).parent.joinpath(folder).glob("*.py"))
]
UNSPECIFIC = ("partly", "unexplained")
_SEEDS = (3, 104)


@dataclass(frozen=True, slots=True)
class Case:
    """One answer to one asked name; `code` is None for an answer that is right without remark."""

    checker: Path
    asked: str
    text: str
    right: bool
    code: str | None

    def __str__(self) -> str:
        return f"{self.checker.stem}: {self.asked}: {self.text!r}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a case came to: its verdict, the code of its remark or diagnosis, the notation."""

    verdict: Verdict
    code: str | None
    notation: str | None
    message: str


def seed_for(checker: Path) -> int:
    """The seed on whose problems the answers to a checker are judged, whatever is tested."""
    return _SEEDS[CHECKERS.index(checker) % len(_SEEDS)]


def module(checker: Path) -> ModuleType:
    """The checker executed, without byte code left beside it."""
    loaded = ModuleType(checker.stem)
    exec(compile(checker.read_text("utf-8"), checker, "exec"), vars(loaded))
    return loaded


def cases(checker: Path) -> Iterator[Case]:
    """All answers to one checker of the corpus."""
    loaded = module(checker)
    for asked, texts in loaded.right.items():
        yield from (Case(checker, asked, text, True, None) for text in texts)
    for right, name in ((True, "remarks"), (False, "mistakes")):
        for asked, by_code in getattr(loaded, name, {}).items():
            for code, texts in by_code.items():
                yield from (Case(checker, asked, text, right, code) for text in texts)


def outcome(judge: Judge, case: Case, seed: int, repair: bool = True) -> Outcome:
    """What the judge makes of a case; with `repair` the last hint is asked for where it helps."""
    answers = {case.asked: case.text}
    judgement = judge.judge(case.checker, answers, seed)
    if isinstance(judgement, Broken):
        return Outcome(Verdict.BROKEN, None, None, judgement.message)
    (answered,) = judgement.answers
    code = answered.diagnosis.code if answered.diagnosis else None
    if repair and code in UNSPECIFIC and judge.repair(case.checker, answers, seed):
        code = "one-edit"
    return Outcome(answered.verdict, code, answered.notation, answered.message)
