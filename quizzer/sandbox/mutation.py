"""Answers made from a card's right ones by one change: the checker must tell them apart."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from quizzer.check.acceptance import TOLERANCE
from quizzer.check.answer import Worked
from quizzer.check.edits import Edit, Kind
from quizzer.check.flaw import Flaw
from quizzer.check.instance import Instance, shape
from quizzer.check.mutants import described, mutants
from quizzer.check.problem import Posed
from quizzer.check.remarks import PLAIN, is_symmetric, remark_on
from quizzer.check.target import symmetrised
from quizzer.check.vary import Vary
from quizzer.sandbox import stages
from quizzer.sandbox.case import Case, opinion_on, worked_out
from quizzer.sandbox.soundness import instances_are_sound
from quizzer.sandbox.trial import INSTANCES, CheckerBroken
from quizzer.text import clean, one_line


def survivors(case: Case) -> Iterator[Flaw]:
    """A warning for each mutant that a learner would get away with.

    A mutant that is the right answer by algebra is none: it agrees with it on all instances, on
    those with other values too.
    """
    posed, asked = case.posed, case.asked
    texts = posed.sheet.right.get(asked, ())
    if not texts:
        return
    few = replace(posed, instances=posed.instances[:INSTANCES], tied=())
    seen: set[str] = set()
    for text, right in zip(texts, worked_out(case.trial, few, asked, texts), strict=True):
        if right.invalid is not None or right.notation is None:
            continue
        candidates = [
            edit
            for edit in mutants(text, _axes(posed, asked), right.notation, posed.sheet.symbols)
            if edit.text not in seen and not (posed.sheet.decides and edit.kind is Kind.SIGN)
        ]
        seen.update(edit.text for edit in candidates)
        accepted = _accepted(case, few, candidates)
        yield from _reported(case, text, accepted)


def _axes(posed: Posed, asked: str) -> dict[str, int]:
    given = posed.sheet.answer_names(posed.instances[0], asked)
    return {name: len(shape(value)) for name, value in given.items() if not isinstance(value, str)}


def _accepted(case: Case, few: Posed, candidates: Sequence[Edit]) -> list[Edit]:
    """The mutants that a judgement accepts without a remark."""
    texts = [edit.text for edit in candidates]
    if not texts:
        return []
    results = worked_out(case.trial, few, case.asked, texts)
    return [
        edit
        for edit, worked in zip(candidates, results, strict=True)
        if worked.invalid is None and _passes(case, few, worked)
    ]


def _passes(case: Case, few: Posed, worked: Worked) -> bool:
    if few.sheet.decides:
        return opinion_on(case.trial, few, case.asked, worked.values) is True
    return remark_on(few, case.asked, worked.values) == PLAIN


def _reported(case: Case, text: str, accepted: Sequence[Edit]) -> Iterator[Flaw]:
    if not accepted:
        return
    instances = [*case.posed.instances, *_varied(case)]
    texts = [text, *(edit.text for edit in accepted)]
    right, *results = worked_out(case.trial, case.posed, case.asked, texts, None, instances)
    for edit, worked in zip(accepted, results, strict=True):
        if worked.invalid is not None or not _same(
            right, worked, is_symmetric(case.posed.sheet, case.asked)
        ):
            yield Flaw(
                "mutant-survives",
                f"The right answer of {case.asked}, {one_line(clean(text), 60)}, {described(edit)} "
                "is accepted, too. Draw samples on which the two differ, or name it in `also`.",
                error=False,
            )


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
