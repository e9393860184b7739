"""What goes with a right answer: the other convention, another orientation, ties.

Arrays are compared here, nothing is run.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from quizzer.check.acceptance import (
    all_right,
    all_right_by_the_other_convention,
    is_right,
    reoriented,
)
from quizzer.check.derivative import Array
from quizzer.check.judgement import Diagnosis
from quizzer.check.problem import Posed
from quizzer.check.sheet import Sheet
from quizzer.check.target import Kind, Target, resolve, target_shape
from quizzer.check.ties import TieInstance, within

_EXACT = 1e-12
PLAIN = Diagnosis("", "")
"""The remark of a right answer that needs none."""


def remark_on(posed: Posed, asked: str, values: Sequence[Array]) -> Diagnosis | None:
    """None where the answer is not right; else the remark that goes with it, or an empty one."""
    truths = [instance.truths[asked] for instance in posed.instances]
    symmetric = _is_symmetric(posed.sheet, asked)
    turned = reoriented(values, truths)
    for arrays in (values, turned):
        if arrays is None:
            continue
        if all_right(arrays, truths, symmetric):
            if arrays is turned:
                return Diagnosis(
                    "orientation", "right; only axes of length 1 differ from the shape asked"
                )
            return PLAIN
        if all_right_by_the_other_convention(arrays, truths, symmetric):
            return Diagnosis(
                "convention",
                "right, with the other convention: the message and the local derivative differ by "
                "the upstream of the loss only",
            )
    return None


def fault_at_ties(
    posed: Posed, asked: str, tied: Sequence[Array | None], remark: Diagnosis
) -> str | None:
    """What is wrong at ties with an answer that is right elsewhere."""
    in_convention = _in_asked_convention(posed, asked, tied, remark)
    for each, values in zip(posed.tied, in_convention, strict=True):
        bounds = each.bounds.get(asked)
        if bounds is None:
            continue
        wanted = bounds.low.shape[1] * bounds.directions.shape[1]
        if values is None or values.size != wanted or not np.isfinite(values).all():
            return "right away from ties; at a tie it gives no number"
        if not within(values, bounds):
            return (
                "right away from ties; where values tie, it is no element of the generalised "
                "gradient: the pieces that meet there must share one weight in all"
            )
    return None


def same_at_ties(answers: Sequence[Array | None], claimed: Sequence[Array | None]) -> bool:
    """Whether an answer is a claimed one at every tie."""
    return len(answers) == len(claimed) > 0 and all(
        a is not None and c is not None and is_right(a, c, _EXACT)
        for a, c in zip(answers, claimed, strict=True)
    )


def agrees(posed: Posed, asked: str, answers: Sequence[Array], values: Sequence[Array]) -> bool:
    """Whether an answer is what an author's claim gives, by the same measure as the truth."""
    truths = [replace(instance.truths[asked]) for instance in posed.instances]
    claimed = [
        replace(t, value=v, error=_EXACT, other=None) for t, v in zip(truths, values, strict=True)
    ]
    return all_right(answers, claimed, _is_symmetric(posed.sheet, asked))


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
    local = _target(posed, asked).kind is Kind.LOCAL
    converted: list[Array | None] = []
    for each, values in zip(posed.tied, tied, strict=True):
        upstream = float(each.instance.upstreams[f"d{_scalar_output(posed, asked)}"])
        factor = 1 / upstream if local else upstream
        converted.append(None if values is None else values * factor)
    return converted


def _scalar_output(posed: Posed, asked: str) -> str:
    """The 0-d output whose upstream tells the two conventions apart."""
    return _target(posed, asked).output or posed.sheet.outputs[0]


def _target(posed: Posed, asked: str) -> Target:
    return resolve(asked, posed.sheet.variables, posed.sheet.outputs)


def _is_symmetric(sheet: Sheet, asked: str) -> bool:
    return resolve(asked, sheet.variables, sheet.outputs).variable in sheet.symmetric
