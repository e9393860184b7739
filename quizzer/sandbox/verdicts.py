"""From what an answer's process gave to a verdict and its sentence. Only arrays are compared."""

import difflib
from dataclasses import replace

import numpy as np

from quizzer.check.answer import Worked
from quizzer.check.derivative import Array
from quizzer.check.difference import first_of
from quizzer.check.judgement import RIGHT, Answered, Diagnosis
from quizzer.check.naming import canonical
from quizzer.check.pieces import may_have_pieces
from quizzer.check.remarks import fault_at_ties, remark_on, same_at_ties, unconfirmed
from quizzer.sandbox.case import Case, opinion_on, worked_out
from quizzer.sandbox.prepared import Prepared
from quizzer.text import clean
from quizzer.verdict import Verdict


def judged(prepared: Prepared, typed: str, text: str, notation: str | None) -> Answered:
    """The verdict on what was typed for a name, itself as it was typed. Raises CheckerBroken."""
    sheet = prepared.posed().sheet
    meant = canonical(typed, sheet)
    if meant is None:
        near = difflib.get_close_matches(typed, sheet.asked, 1, 0.3)
        hint = f"Did you mean {near[0]}?" if near else f"It asks for {', '.join(sheet.asked)}."
        message = clean(f"This card does not ask for {typed}. {hint}")
        return Answered(clean(typed), Verdict.INVALID, message)
    asked, indexed = meant
    if not text.strip():
        return Answered(asked, Verdict.INVALID, "Nothing was typed.")
    left = f"{typed} = " if indexed else ""
    case = prepared.case(asked)
    worked = case.worked(left + text, notation)
    answered = verdict(case, worked, left + text)
    if answered.line == 1 and answered.column is not None:
        column = answered.column - len(left)
        if column < 1:
            return replace(answered, line=None, column=None)
        return replace(answered, column=column)
    return answered


@np.errstate(all="ignore")
def verdict(case: Case, worked: Worked, text: str | None = None) -> Answered:
    """The verdict on an answer that has been worked out, from `text` if it was typed.

    An answer of huge numbers overflows here, which is told nobody. Raises CheckerBroken.
    """
    posed, asked = case.posed, case.asked
    if worked.invalid is not None:
        return Answered(
            name=asked,
            verdict=Verdict.INVALID,
            message=worked.invalid,
            notation=worked.notation,
            line=worked.line,
            column=worked.column,
            understood=worked.understood,
        )
    answered = Answered(
        name=asked,
        verdict=Verdict.CORRECT,
        message=RIGHT,
        notation=worked.notation,
        shape=worked.values[0].shape,
        expected_shape=posed.instances[0].truths[asked].value.shape,
        understood=worked.understood,
    )
    for values in (*worked.values, *worked.further):
        if values is not None and not np.isfinite(values).all():
            message = _not_finite(values, asked, posed.sheet.first_index)
            return replace(answered, verdict=Verdict.INVALID, message=message)
    opinion = opinion_on(case.trial, posed, asked, worked.values)
    if opinion is True:
        return answered
    if isinstance(opinion, str):
        return _wrong(answered, Diagnosis("unexplained", opinion))
    remark = remark_on(posed, asked, worked.values)
    if remark is None:
        from quizzer.sandbox.reasons import convention, reason, view

        other = convention(case, worked)
        if other:
            return _right(answered, other)
        wrong = _wrong(answered, reason(case, worked, text))
        return replace(wrong, view=view(case, worked))
    doubt = unconfirmed(posed, asked, worked.further, remark) or _with_pieces(
        case, worked, text, remark
    )
    if doubt is not None:
        return _wrong(answered, doubt)
    at_ties = fault_at_ties(posed, asked, worked.tied, remark)
    if at_ties is not None and (posed.sheet.ties or at_ties.code != "ties"):
        return _wrong(answered, _known_at_ties(case, worked, at_ties))
    if at_ties is not None:
        remark = at_ties
    return _right(answered, remark if remark.code else None)


def _with_pieces(
    case: Case, worked: Worked, text: str | None, remark: Diagnosis
) -> Diagnosis | None:
    """What many more problems say of an answer that may be piecewise; None where it is right."""
    sheet = case.posed.sheet
    names = (*case.posed.instances[0].names, *sheet.symbols.values(), *sheet.sizes, case.asked)
    if text is None or not may_have_pieces(text, names):
        return None
    posed = replace(case.posed, further=case.confirming())
    few = replace(posed, instances=posed.instances[:1], tied=())
    (again,) = worked_out(case.trial, few, case.asked, [text], worked.notation)
    return unconfirmed(posed, case.asked, again.further, remark)


def _known_at_ties(case: Case, worked: Worked, fault: Diagnosis) -> Diagnosis:
    """The card's own sentence on an answer that is wrong at ties only, if it has one."""
    for claim in case.compare().wrong:
        if same_at_ties(worked.tied, claim.tied):
            return Diagnosis("known-mistake", claim.sentence)
    return fault


def _right(answered: Answered, remark: Diagnosis | None) -> Answered:
    message = RIGHT if remark is None else remark.message
    return replace(answered, verdict=Verdict.CORRECT, message=message, diagnosis=remark)


def _wrong(answered: Answered, diagnosis: Diagnosis) -> Answered:
    return replace(answered, verdict=Verdict.WRONG, message=diagnosis.message, diagnosis=diagnosis)


def _not_finite(values: Array, asked: str, first_index: int) -> str:
    """Where the first NaN or infinity stands."""
    index = first_of(~np.isfinite(values))
    nan = bool(np.isnan(values[index]))
    place = f"[{', '.join(str(i + first_index) for i in index)}]" if index else ""
    kind, advice = ("NaN", "a root or logarithm of a negative number, or 0/0") if nan else (
        "infinity", "a division by zero, or exp of a large number"
    )  # fmt: skip
    return f"{asked}{place} is {kind}: look for {advice}."
