"""Mutants of a card's right answers that its checker accepts, though they are other answers."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.answer import Evaluated
from quizzer.checker.flaw import Flaw
from quizzer.checker.instance import Instance
from quizzer.checker.jacobians import symmetrised
from quizzer.checker.remote import CheckerBroken, RemoteChecker
from quizzer.judge.accept import PLAIN, fault_at_ties, opinion_on, remark_on, unconfirmed
from quizzer.judge.acceptance import TOLERANCE, grain, is_right, size_of
from quizzer.judge.case import Case, Job, evaluate_own
from quizzer.judge.edits import Edit
from quizzer.judge.repairing import axes_of_names
from quizzer.lint.mutants import described, mutants
from quizzer.notation.changes import Change
from quizzer.text import clean, one_line


def survivors(
    checker: RemoteChecker,
    cases: Sequence[Case],
    few: Sequence[Case],
    varied: tuple[Instance, ...] | None,
) -> Iterator[Flaw]:
    """A warning for each mutant that a learner would get away with, judged as an answer is: on
    the `few` instances of one judgement, its ties and its further problems.

    A mutant that is the right answer by algebra is none: it agrees with it on all instances of
    its case, and on those with other values too, which may be `varied` already. Each step is taken
    for all asked names at once.
    """
    rights = _evaluated(checker, [Job(each, _rights_of(each)) for each in few])
    every = [
        _Mutants(case, each, _candidates(case, each, found))
        for case, each, found in zip(cases, few, rights, strict=True)
    ]
    every = _screened(checker, every)
    results = _evaluated(checker, [Job(each.few, each.left) for each in every])
    every, broken = _accepted(checker, every, results)
    every = _compared(checker, every, varied)
    for each in every:
        yield from each.flaws
        if each.late:
            yield Flaw(
                "mutants-late",
                f"{each.late} altered right answers of {each.case.asked} took too long to be told "
                "apart. Check again when the machine is less busy, or sample smaller arrays.",
                error=False,
            )
    if broken:
        raise broken


class _Mutants(Struct, frozen=True):
    """The mutants of one asked name, and what has become of them so far."""

    case: Case
    few: Case
    candidates: dict[str, tuple[str, Edit]]
    """Each mutant with the right answer that it was made from."""
    left: tuple[str, ...] = ()
    """Those that were not told apart so far."""
    late: int = 0
    """How many took too long."""
    flaws: tuple[Flaw, ...] = ()


def _rights_of(case: Case) -> tuple[str, ...]:
    return tuple(case.sheet.right.get(case.asked, ()))


def _candidates(case: Case, few: Case, rights: Sequence[Evaluated]) -> dict[str, tuple[str, Edit]]:
    candidates: dict[str, tuple[str, Edit]] = {}
    for text, right in zip(_rights_of(case), rights, strict=True):
        if right.invalid is not None or right.notation is None:
            continue
        for edit in mutants(text, axes_of_names(case), right.notation, few.sheet.symbols):
            if not (few.sheet.decides and edit.change is Change.SIGN):
                candidates.setdefault(edit.text, (text, edit))
    return candidates


def _screened(checker: RemoteChecker, every: Sequence[_Mutants]) -> list[_Mutants]:
    """With those left that are right on the first instance: most are wrong at once, and cost no
    other evaluation."""
    jobs = [
        Job(
            each.few,
            () if each.few.sheet.decides else tuple(each.candidates),
            each.few.posed.instances[:1],
        )
        for each in every
    ]
    found = _evaluated(checker, jobs)
    return [_screened_by(each, results) for each, results in zip(every, found, strict=True)]


def _screened_by(each: _Mutants, results: Sequence[Evaluated]) -> _Mutants:
    few = each.few
    if few.sheet.decides:
        return replace(each, left=tuple(each.candidates))
    truth = few.truths[0]
    error = truth.error + grain(size_of([each.value for each in few.truths]))
    right = [
        text
        for text, evaluated in zip(each.candidates, results, strict=True)
        if evaluated.invalid is None
        and is_right(evaluated.values[0], truth.value, error, few.is_symmetric)
    ]
    return replace(each, left=tuple(right), late=sum(evaluated.late for evaluated in results))


def _evaluated(checker: RemoteChecker, jobs: Sequence[Job]) -> list[Sequence[Evaluated]]:
    """The texts evaluated together, for each request takes a process of its own; where time runs
    out, in halves, so that one text delays no other."""
    found = evaluate_own(checker, jobs)
    return [_in_halves(checker, job, results) for job, results in zip(jobs, found, strict=True)]


def _in_halves(
    checker: RemoteChecker, job: Job, results: Sequence[Evaluated]
) -> Sequence[Evaluated]:
    if len(results) < 2 or not all(evaluated.late for evaluated in results):
        return results
    half = len(results) // 2
    parts = (replace(job, texts=texts) for texts in (job.texts[:half], job.texts[half:]))
    return [
        evaluated
        for part in parts
        for evaluated in _in_halves(checker, part, evaluate_own(checker, [part])[0])
    ]


def _accepted(
    checker: RemoteChecker, every: Sequence[_Mutants], found: Sequence[Sequence[Evaluated]]
) -> tuple[list[_Mutants], CheckerBroken | None]:
    """With those left that are accepted; and what broke, with only the names before it."""
    accepted: list[_Mutants] = []
    for each, results in zip(every, found, strict=True):
        pairs = zip(each.left, results, strict=True)
        try:
            left = tuple(text for text, result in pairs if _passes(checker, each.few, result))
        except CheckerBroken as error:
            return accepted, error
        late = each.late + sum(evaluated.late for evaluated in results)
        accepted.append(replace(each, left=left, late=late))
    return accepted, None


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
    checker: RemoteChecker, every: Sequence[_Mutants], varied: tuple[Instance, ...] | None
) -> list[_Mutants]:
    """With a flaw for each that is accepted and another answer than the right one beside it."""
    accepted = [each for each in every if each.left]
    if not accepted:
        return list(every)
    if varied is None:
        varied = _varied(checker, accepted[0].case)
    jobs = []
    for each in accepted:
        rights = [each.candidates[text][0] for text in each.left]
        texts = dict.fromkeys((*rights, *each.left))
        jobs.append(Job(each.case, tuple(texts), (*each.case.posed.instances, *varied)))
    found = {
        each.case.asked: _compared_by(each, dict(zip(job.texts, results, strict=True)))
        for each, job, results in zip(accepted, jobs, _evaluated(checker, jobs), strict=True)
    }
    return [found.get(each.case.asked, each) for each in every]


def _compared_by(each: _Mutants, found: Mapping[str, Evaluated]) -> _Mutants:
    flaws, late = [], each.late
    case = each.case
    for mutant in each.left:
        text, edit = each.candidates[mutant]
        right, evaluated = found[text], found[mutant]
        if evaluated.late or right.late:
            late += 1
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
    return replace(each, flaws=tuple(flaws), late=late)


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
