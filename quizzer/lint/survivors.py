"""Mutants of a card's right answers that its checker accepts, though they are other answers."""

from collections.abc import Iterator, Sequence

import numpy as np

from quizzer.checker.answer import Evaluated
from quizzer.checker.flaw import Flaw
from quizzer.checker.instance import Instance
from quizzer.checker.jacobians import symmetrised
from quizzer.checker.remote import CheckerBroken, RemoteChecker
from quizzer.judge.accept import PLAIN, fault_at_ties, opinion_on, remark_on, unconfirmed
from quizzer.judge.acceptance import TOLERANCE, grain, is_right, size_of
from quizzer.judge.case import Case, evaluate
from quizzer.judge.edits import Edit
from quizzer.judge.repairing import axes_of_names
from quizzer.lint.mutants import described, mutants
from quizzer.notation.changes import Change
from quizzer.text import clean, one_line


def survivors(checker: RemoteChecker, case: Case, few: Case) -> Iterator[Flaw]:
    """A warning for each mutant that a learner would get away with, judged as an answer is: on
    the `few` instances of one judgement, its ties and its further problems.

    A mutant that is the right answer by algebra is none: it agrees with it on all instances of
    `case`, and on those with other values too.
    """
    texts = case.sheet.right.get(case.asked, ())
    candidates: dict[str, tuple[str, Edit]] = {}
    for text, right in zip(texts, _evaluated(checker, few, texts), strict=True):
        if right.invalid is not None or right.notation is None:
            continue
        for edit in mutants(text, axes_of_names(case), right.notation, few.sheet.symbols):
            if not (few.sheet.decides and edit.change is Change.SIGN):
                candidates.setdefault(edit.text, (text, edit))
    left, late = _screened(checker, few, list(candidates))
    found = _evaluated(checker, few, left)
    late += sum(evaluated.late for evaluated in found)
    accepted = [
        candidates[text]
        for text, evaluated in zip(left, found, strict=True)
        if _passes(checker, few, evaluated)
    ]
    flaws, undecided = _compared(checker, case, accepted)
    late += undecided
    yield from flaws
    if late:
        yield Flaw(
            "mutants-late",
            f"{late} altered right answers of {case.asked} took too long to be told apart. Check "
            "again when the machine is less busy, or sample smaller arrays.",
            error=False,
        )


def _screened(
    checker: RemoteChecker, few: Case, candidates: Sequence[str]
) -> tuple[Sequence[str], int]:
    """Those that are right on the first instance, and how many took too long there: most are wrong
    at once, and cost no other evaluation."""
    if few.sheet.decides:
        return candidates, 0
    truth = few.truths[0]
    error = truth.error + grain(size_of([each.value for each in few.truths]))
    found = _evaluated(checker, few, candidates, few.posed.instances[:1])
    right = [
        text
        for text, evaluated in zip(candidates, found, strict=True)
        if evaluated.invalid is None
        and is_right(evaluated.values[0], truth.value, error, few.is_symmetric)
    ]
    return right, sum(evaluated.late for evaluated in found)


def _evaluated(
    checker: RemoteChecker,
    case: Case,
    texts: Sequence[str],
    instances: Sequence[Instance] | None = None,
) -> list[Evaluated]:
    """The texts evaluated together, for each request takes a process of its own; where time runs
    out, in halves, so that one text delays no other."""
    if not texts:
        return []
    found = list(evaluate(checker, case, texts, None, instances, own=True))
    if len(texts) == 1 or not all(evaluated.late for evaluated in found):
        return found
    half = len(texts) // 2
    return [
        *_evaluated(checker, case, texts[:half], instances),
        *_evaluated(checker, case, texts[half:], instances),
    ]


def _passes(checker: RemoteChecker, few: Case, evaluated: Evaluated) -> bool:
    """Whether a judgement would accept it without a remark."""
    if evaluated.invalid is not None:
        return False
    if few.sheet.decides:
        return opinion_on(checker, few, evaluated.values) is True
    return (
        remark_on(few, evaluated.values) == PLAIN
        and unconfirmed(few, evaluated.further, PLAIN) is None
        and fault_at_ties(few, evaluated.tied, PLAIN) is None
    )


def _compared(
    checker: RemoteChecker, case: Case, accepted: Sequence[tuple[str, Edit]]
) -> tuple[list[Flaw], int]:
    """Those accepted that are another answer than the right one beside them, and how many stay
    undecided."""
    if not accepted:
        return [], 0
    instances = [*case.posed.instances, *_varied(checker, case)]
    texts = list(dict.fromkeys([*(text for text, _ in accepted), *(e.text for _, e in accepted)]))
    found = dict(zip(texts, _evaluated(checker, case, texts, instances), strict=True))
    flaws, undecided = [], 0
    for text, edit in accepted:
        right, evaluated = found[text], found[edit.text]
        if evaluated.late or right.late:
            undecided += 1
        elif evaluated.invalid is not None or not _same(right, evaluated, case.is_symmetric):
            flaws.append(
                Flaw(
                    "mutant-survives",
                    f"The right answer of {case.asked}, {one_line(clean(text), 60)}, "
                    f"{described(edit)} is accepted, too. Draw samples on which the two differ, or "
                    "name it in `also`.",
                    error=False,
                )
            )
    return flaws, undecided


def _same(right: Evaluated, mutant: Evaluated, symmetric: bool) -> bool:
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


def _varied(checker: RemoteChecker, case: Case) -> tuple[Instance, ...]:
    try:
        return checker.vary(case.posed)
    except CheckerBroken:
        return ()
