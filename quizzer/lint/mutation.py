"""Answers made from a card's right ones by one change: the checker must tell them apart."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from quizzer.checker import stages
from quizzer.checker.answer import Worked
from quizzer.checker.flaw import Flaw
from quizzer.checker.instance import Instance, shape
from quizzer.checker.problem import Posed
from quizzer.checker.soundness import instances_are_sound
from quizzer.checker.target import symmetrised
from quizzer.checker.trial import CheckerBroken
from quizzer.checker.vary import Vary
from quizzer.judge.acceptance import TOLERANCE
from quizzer.judge.case import Case, opinion_on, worked_out
from quizzer.judge.edits import Edit, Kind
from quizzer.judge.remarks import PLAIN, fault_at_ties, is_symmetric, remark_on, unconfirmed
from quizzer.lint.mutants import described, mutants
from quizzer.text import clean, one_line


def survivors(case: Case, few: Posed) -> Iterator[Flaw]:
    """A warning for each mutant that a learner would get away with, judged as an answer is: on
    the `few` instances of one judgement, its ties and its further problems.

    A mutant that is the right answer by algebra is none: it agrees with it on all instances, on
    those with other values too.
    """
    texts = case.posed.sheet.right.get(case.asked, ())
    seen: set[str] = set()
    late = 0
    for text in texts:
        right = _worked(case, few, [text])[0]
        if right.invalid is not None or right.notation is None:
            continue
        candidates = [
            edit
            for edit in mutants(
                text, _axes(case.posed, case.asked), right.notation, few.sheet.symbols
            )
            if edit.text not in seen and not (few.sheet.decides and edit.kind is Kind.SIGN)
        ]
        seen.update(edit.text for edit in candidates)
        found = _worked(case, few, [edit.text for edit in candidates])
        accepted = [
            e for e, each in zip(candidates, found, strict=True) if _passes(case, few, each)
        ]
        late += sum(worked.late for worked in found)
        told, undecided = _compared(case, text, accepted)
        late += undecided
        yield from told
    if late:
        yield Flaw(
            "mutants-late",
            f"{late} altered right answers of {case.asked} took too long to be told apart. Check "
            "again when the machine is less busy, or sample smaller arrays.",
            error=False,
        )


def _worked(
    case: Case, posed: Posed, texts: Sequence[str], instances: Sequence[Instance] | None = None
) -> list[Worked]:
    """The texts worked out; where time runs out, in halves, so that one text delays no other."""
    if not texts:
        return []
    found = list(worked_out(case.trial, posed, case.asked, texts, None, instances))
    if len(texts) == 1 or not all(worked.late for worked in found):
        return found
    half = len(texts) // 2
    return [
        *_worked(case, posed, texts[:half], instances),
        *_worked(case, posed, texts[half:], instances),
    ]


def _axes(posed: Posed, asked: str) -> dict[str, int]:
    given = posed.sheet.answer_names(posed.instances[0], asked)
    return {name: len(shape(value)) for name, value in given.items() if not isinstance(value, str)}


def _passes(case: Case, few: Posed, worked: Worked) -> bool:
    """Whether a judgement would accept it without a remark."""
    if worked.invalid is not None:
        return False
    if few.sheet.decides:
        return opinion_on(case.trial, few, case.asked, worked.values) is True
    asked = case.asked
    return (
        remark_on(few, asked, worked.values) == PLAIN
        and unconfirmed(few, asked, worked.further, PLAIN) is None
        and fault_at_ties(few, asked, worked.tied, PLAIN) is None
    )


def _compared(case: Case, text: str, accepted: Sequence[Edit]) -> tuple[list[Flaw], int]:
    """Those accepted that are another answer than the right one, and how many stay undecided."""
    if not accepted:
        return [], 0
    instances = [*case.posed.instances, *_varied(case)]
    texts = [text, *(edit.text for edit in accepted)]
    right, *results = _worked(case, case.posed, texts, instances)
    symmetric = is_symmetric(case.posed.sheet, case.asked)
    told, undecided = [], 0
    for edit, worked in zip(accepted, results, strict=True):
        if worked.late or right.late:
            undecided += 1
        elif worked.invalid is not None or not _same(right, worked, symmetric):
            told.append(
                Flaw(
                    "mutant-survives",
                    f"The right answer of {case.asked}, {one_line(clean(text), 60)}, "
                    f"{described(edit)} is accepted, too. Draw samples on which the two differ, or "
                    "name it in `also`.",
                    error=False,
                )
            )
    return told, undecided


def _same(right: Worked, mutant: Worked, symmetric: bool) -> bool:
    """Whether two texts give the same arrays wherever the right one gives finite ones."""
    for wanted, found in zip(right.values, mutant.values, strict=True):
        if not np.isfinite(wanted).all():
            continue
        if wanted.shape != found.shape or not np.isfinite(found).all():
            return False
        bound = 10 * TOLERANCE * np.max(np.abs(wanted), initial=0.0)
        difference = symmetrised(wanted - found) if symmetric else wanted - found
        if np.max(np.abs(difference), initial=0.0) > bound:
            return False
    return True


def _varied(case: Case) -> tuple[Instance, ...]:
    posed = case.posed
    request = Vary(case.trial.source, 0, posed.instances, posed.sheet.symmetric)
    try:
        found = case.trial.deck_stage(stages.VARY, request).instances
    except CheckerBroken:
        return ()
    varied = replace(posed, instances=found, tied=())
    return found if instances_are_sound(varied, len(found)) else ()
