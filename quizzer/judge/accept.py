"""Whether an answer is right: on the instances, on further problems, at ties.

Or nearly right: by the other convention, in another orientation, only away from ties.

Arrays are compared here, nothing is run but the checker's own `accept`, where it has one.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from quizzer.checker.bounds import Bounds, TieInstance, is_generalised_gradient, is_smooth, misses
from quizzer.checker.derivative import Array
from quizzer.checker.instance import exact
from quizzer.checker.jacobians import convention_factor
from quizzer.checker.posed import Further
from quizzer.checker.remote import CheckerBroken, RemoteChecker
from quizzer.checker.requests import BRANCH_JOIN, OF_CODE
from quizzer.judge.acceptance import (
    all_right,
    all_right_by_the_other_convention,
    have_slopes,
    is_right,
    reoriented,
    size_of,
)
from quizzer.judge.case import Case
from quizzer.judge.difference import entry_name
from quizzer.judge.judgement import Diagnosis
from quizzer.text import clean

_EXACT = 1e-12
PLAIN = Diagnosis("", "")
"""The remark of a right answer that needs none."""

Values = Sequence[Array]
MaybeValues = Sequence[Array | None]
"""Of problems on which an answer may have no value."""


def opinion_on(
    checker: RemoteChecker, case: Case, values: tuple[Array, ...]
) -> Literal[True] | str | None:
    """What the checker's `accept` says: a sentence is a refusal, None no opinion on all instances.

    Where it accepts some instances and has no opinion on others, those are compared as usual.
    Raises CheckerBroken, unless the shape of the answer explains why `accept` fails.
    """
    if not case.sheet.decides:
        return None
    try:
        opinions = checker.accept(case.posed, case.asked, values)
    except CheckerBroken:
        if all(a.shape == t.value.shape for a, t in zip(values, case.truths, strict=True)):
            raise
        return None
    if len(opinions) != len(values):
        return None
    refusals = [opinion for opinion in opinions if opinion is not None and opinion is not True]
    if refusals:
        sentences = [clean(refusal) for refusal in refusals if isinstance(refusal, str)]
        return sentences[0] if sentences else "This is not one of the right answers."
    rest = [place for place, opinion in enumerate(opinions) if opinion is None]
    if len(rest) == len(values) or (rest and not _is_right_on(case, values, rest)):
        return None
    return True


def remark_on(case: Case, values: Values) -> Diagnosis | None:
    """None where an answer is not right; else the remark that goes with it, or `PLAIN`."""
    truths = case.truths
    turned = reoriented(values, truths)
    for arrays in (values, turned):
        if arrays is None:
            continue
        if all_right(arrays, truths, case.is_symmetric):
            if arrays is turned:
                return Diagnosis(
                    "orientation",
                    "Right; only axes of length 1 differ from the shape that is asked for.",
                )
            return PLAIN
        if all_right_by_the_other_convention(arrays, truths, case.is_symmetric):
            return Diagnosis(
                "convention",
                "Right, in the other convention: message and local derivative differ only by the "
                "upstream of the loss.",
            )
    return None


def unconfirmed(case: Case, further: MaybeValues, remark: Diagnosis) -> Diagnosis | None:
    """Where an answer that was right so far is wrong on further problems; None if it is right."""
    size = size_of([truth.value for truth in case.truths])
    passed: set[str] = set()
    failed: set[str] | None = None
    tried = [
        (each, value)
        for each, value in zip(case.posed.further, further, strict=False)
        if value is not None
    ]
    factors = None
    if remark.code == "convention":
        known = (convention_factor(case.meaning, each.instance) for each, _ in tried)
        factors = [1 / factor if factor else 1.0 for factor in known]
    contractions = [each.contractions[case.asked] for each, _ in tried]
    found = have_slopes([value for _, value in tried], contractions, factors, size)
    for (each, _), right in zip(tried, found, strict=True):
        if right:
            passed.update(each.branches)
        elif failed is None:
            failed = set(each.branches)
    if failed is None:
        return None
    telling = sorted(b for b in failed - passed if OF_CODE not in b and BRANCH_JOIN not in b)
    where = f", such as where {telling[0]}" if telling else ""
    return Diagnosis("partly", f"Right in most problems, but not in all{where}: is a case missing?")


def fault_at_ties(case: Case, tied: MaybeValues, remark: Diagnosis) -> Diagnosis | None:
    """What is wrong with an answer that is right elsewhere: `ties` at ties, `partly` where values
    only happen to be equal."""
    found: Diagnosis | None = None
    in_asked = _in_asked_convention(case, tied, remark)
    for each, values in zip(case.posed.tied, in_asked, strict=True):
        bounds = each.bounds.get(case.asked)
        if bounds is None:
            continue
        wanted = bounds.low.shape[1] * bounds.directions.shape[1]
        smooth = is_smooth(bounds)
        if values is None or values.size != wanted or not np.isfinite(values).all():
            if not smooth.all():
                found = found or _ties("at a tie your answer gives no number.")
            continue
        missed = misses(values, bounds)
        if (missed & smooth).any():
            return Diagnosis("partly", _coincidence(case, each, values, missed & smooth))
        if not is_generalised_gradient(values, bounds):
            found = found or _ties(_at_a_tie(values, bounds, case.asked, smooth, missed))
    return found


def _is_right_on(case: Case, values: Values, places: Sequence[int]) -> bool:
    """Whether an answer is right on these of the instances."""
    instances = tuple(case.posed.instances[place] for place in places)
    some = replace(case, posed=replace(case.posed, instances=instances))
    return remark_on(some, [values[place] for place in places]) is not None


def accepted_where_it_differs(checker: RemoteChecker, case: Case, further: MaybeValues) -> bool:
    """Whether the checker's `accept` takes an answer on each further problem on which it is not
    the author's closed form. False where there is no `accept`, or it cannot be asked."""
    if not case.sheet.decides:
        return False
    pairs = zip(case.posed.further, further, strict=False)
    unlike = [
        (each.instance, value)
        for each, value in pairs
        if value is not None and unconfirmed(_on(case, each), [value], PLAIN)
    ]
    posed = replace(case.posed, instances=tuple(instance for instance, _ in unlike))
    try:
        opinions = checker.accept(posed, case.asked, tuple(value for _, value in unlike))
    except CheckerBroken:
        return False
    return len(opinions) == len(unlike) and all(opinion is True for opinion in opinions)


def _on(case: Case, further: Further) -> Case:
    return replace(case, posed=replace(case.posed, further=(further,)))


def same_at_ties(answers: MaybeValues, claimed: MaybeValues) -> bool:
    """Whether an answer is a claimed one at every tie."""
    return len(answers) == len(claimed) > 0 and all(
        a is not None and c is not None and is_right(a, c, _EXACT)
        for a, c in zip(answers, claimed, strict=True)
    )


def same_elsewhere(answers: MaybeValues, claimed: MaybeValues) -> bool:
    """Whether an answer is a claimed one on every further problem on which both have a value."""
    pairs = zip(answers, claimed, strict=False)
    return all(a is None or c is None or is_right(a, c, _EXACT) for a, c in pairs)


def agrees(case: Case, answers: Values, claimed: Values) -> bool:
    """Whether an answer is what an author's claim gives, by the same measure as the truth."""
    return all_right(answers, list(map(exact, claimed)), case.is_symmetric)


def _ties(message: str) -> Diagnosis:
    return Diagnosis("ties", f"Right away from ties; {message}")


def _at_a_tie(
    values: Array, bounds: Bounds, asked: str, smooth: NDArray[np.bool_], missed: NDArray[np.bool_]
) -> str:
    """What an answer does at a tie that it may not do."""
    if missed.any():
        k, row = (int(i) for i in np.argwhere(missed)[0])
        entry = values.reshape(-1, len(missed))[row, k]
        low, high = bounds.low[k, row], bounds.high[k, row]
        return f"at a tie an entry of {asked} is {entry:.3g}, outside of {low:.3g} to {high:.3g}."
    entries = values.reshape(-1, len(missed)).T[~smooth]
    low, high = bounds.low[: len(missed)][~smooth], bounds.high[: len(missed)][~smooth]
    far = np.where(np.abs(high) > np.abs(low), high, low)
    if np.all(np.abs(entries - far) <= bounds.slack):
        return (
            "at a tie you give the whole gradient to every tied entry; together they may get it "
            "only once."
        )
    if np.all(np.abs(entries) <= bounds.slack):
        return "at a tie you give no entry the gradient; together they must get it once."
    return "at a tie the shares of the tied entries must add up to the gradient, once."


def _coincidence(case: Case, tied: TieInstance, values: Array, missed: NDArray[np.bool_]) -> str:
    bounds = tied.bounds[case.asked]
    k, row = (int(i) for i in np.argwhere(missed)[0])
    shape = case.shape_at(tied) or ()
    flat = row * len(missed) + k
    index = tuple(int(i) for i in np.unravel_index(flat, shape)) if shape else ()
    name = entry_name(case.asked, index, case.sheet.first_index)
    wanted = round(float(bounds.low[k, row]), 4) + 0.0
    return (
        "Right as long as all values differ. But values may be equal without being a tie, and "
        f"then {name} is {values.reshape(-1)[flat]:.4g} here, but it should be {wanted:.4g}."
    )


def _in_asked_convention(case: Case, tied: MaybeValues, remark: Diagnosis) -> MaybeValues:
    """Answers at ties as if they were given in the convention that is asked for."""
    if remark.code != "convention":
        return tied
    converted: list[Array | None] = []
    for each, values in zip(case.posed.tied, tied, strict=True):
        factor = convention_factor(case.meaning, each.instance)
        converted.append(None if values is None or factor is None else values / factor)
    return converted
