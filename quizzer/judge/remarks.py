"""What goes with a right answer: the other convention, another orientation, ties.

Arrays are compared here, nothing is run.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from quizzer.checker.derivative import Array
from quizzer.checker.meaning import Target, resolve
from quizzer.checker.problem import Posed
from quizzer.checker.requests import BRANCH_JOIN, OF_CODE
from quizzer.checker.sheet import Sheet
from quizzer.checker.target import convention_factor, target_shape
from quizzer.checker.ties import Bounds, TieInstance, is_smooth, misses, within
from quizzer.checker.truth import exact
from quizzer.judge.acceptance import (
    all_right,
    all_right_by_the_other_convention,
    contracts,
    is_right,
    reoriented,
    size_of,
)
from quizzer.judge.difference import entry_name
from quizzer.judge.judgement import Diagnosis

_EXACT = 1e-12
PLAIN = Diagnosis("", "")
"""The remark of a right answer that needs none."""


def remark_on(posed: Posed, asked: str, values: Sequence[Array]) -> Diagnosis | None:
    """None where the answer is not right; else the remark that goes with it, or an empty one."""
    truths = [instance.truths[asked] for instance in posed.instances]
    symmetric = is_symmetric(posed.sheet, asked)
    turned = reoriented(values, truths)
    for arrays in (values, turned):
        if arrays is None:
            continue
        if all_right(arrays, truths, symmetric):
            if arrays is turned:
                return Diagnosis(
                    "orientation",
                    "Right; only axes of length 1 differ from the shape that is asked for.",
                )
            return PLAIN
        if all_right_by_the_other_convention(arrays, truths, symmetric):
            return Diagnosis(
                "convention",
                "Right, in the other convention: message and local derivative differ only by the "
                "upstream of the loss.",
            )
    return None


def unconfirmed(
    posed: Posed, asked: str, values: Sequence[Array | None], remark: Diagnosis
) -> Diagnosis | None:
    """Where an answer that was right so far is not on further problems; None if it is."""
    target = _target(posed, asked)
    size = size_of([instance.truths[asked].value for instance in posed.instances])
    passed: set[str] = set()
    failed: set[str] | None = None
    for each, value in zip(posed.further, values, strict=False):
        if value is None:
            continue
        factor = convention_factor(target, each.instance) if remark.code == "convention" else None
        if contracts(value, each.contractions[asked], 1 / factor if factor else 1.0, size):
            passed.update(each.branches)
        elif failed is None:
            failed = set(each.branches)
    if failed is None:
        return None
    told = sorted(b for b in failed - passed if OF_CODE not in b and BRANCH_JOIN not in b)
    where = f", such as where {told[0]}" if told else ""
    return Diagnosis("partly", f"Right in most problems, but not in all{where}: is a case missing?")


def fault_at_ties(
    posed: Posed, asked: str, tied: Sequence[Array | None], remark: Diagnosis
) -> Diagnosis | None:
    """What is wrong with an answer that is right elsewhere: `ties` at ties, `partly` where values
    only happen to be equal."""
    found: Diagnosis | None = None
    in_convention = _in_asked_convention(posed, asked, tied, remark)
    for each, values in zip(posed.tied, in_convention, strict=True):
        bounds = each.bounds.get(asked)
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
            return Diagnosis("partly", _coincidence(posed, asked, each, values, missed & smooth))
        if not within(values, bounds):
            found = found or _ties(_at_a_tie(values, bounds, asked, smooth, missed))
    return found


def _ties(said: str) -> Diagnosis:
    return Diagnosis("ties", f"Right away from ties; {said}")


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


def _coincidence(
    posed: Posed, asked: str, tied: TieInstance, values: Array, missed: NDArray[np.bool_]
) -> str:
    bounds = tied.bounds[asked]
    k, row = (int(i) for i in np.argwhere(missed)[0])
    shape = tied_shape(tied, posed, asked) or ()
    flat = row * len(missed) + k
    index = tuple(int(i) for i in np.unravel_index(flat, shape)) if shape else ()
    name = entry_name(asked, index, posed.sheet.first_index)
    wanted = round(float(bounds.low[k, row]), 4) + 0.0
    return (
        "Right as long as all values differ. But values may be equal without being a tie, and "
        f"then {name} is {values.reshape(-1)[flat]:.4g} here, but it should be {wanted:.4g}."
    )


def same_at_ties(answers: Sequence[Array | None], claimed: Sequence[Array | None]) -> bool:
    """Whether an answer is a claimed one at every tie."""
    return len(answers) == len(claimed) > 0 and all(
        a is not None and c is not None and is_right(a, c, _EXACT)
        for a, c in zip(answers, claimed, strict=True)
    )


def same_elsewhere(answers: Sequence[Array | None], claimed: Sequence[Array | None]) -> bool:
    """Whether an answer is a claimed one on every further problem on which both have a value."""
    pairs = zip(answers, claimed, strict=False)
    return all(a is None or c is None or is_right(a, c, _EXACT) for a, c in pairs)


def agrees(posed: Posed, asked: str, answers: Sequence[Array], values: Sequence[Array]) -> bool:
    """Whether an answer is what an author's claim gives, by the same measure as the truth."""
    return all_right(answers, list(map(exact, values)), is_symmetric(posed.sheet, asked))


def tied_shape(tied: TieInstance, posed: Posed, asked: str) -> tuple[int, ...] | None:
    """The shape of what is asked at a tie: that of the derivative."""
    target = _target(posed, asked)
    return target_shape(target, tied.instance) if target.variable is not None else None


def _in_asked_convention(
    posed: Posed, asked: str, tied: Sequence[Array | None], remark: Diagnosis
) -> Sequence[Array | None]:
    """Answers at ties as if they were given in the convention that is asked."""
    if remark.code != "convention":
        return tied
    converted: list[Array | None] = []
    for each, values in zip(posed.tied, tied, strict=True):
        factor = convention_factor(_target(posed, asked), each.instance)
        converted.append(None if values is None or factor is None else values / factor)
    return converted


def _target(posed: Posed, asked: str) -> Target:
    return resolve(asked, posed.sheet.variables, posed.sheet.outputs)


def is_symmetric(sheet: Sheet, asked: str) -> bool:
    """Whether only the symmetric part of the asked gradient is compared."""
    return resolve(asked, sheet.variables, sheet.outputs).variable in sheet.symmetric
