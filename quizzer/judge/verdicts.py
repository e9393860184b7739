"""From what an answer's process gave to a verdict and its sentence. Only arrays are compared."""

import difflib
from dataclasses import replace

import numpy as np

from quizzer.checker.answer import Worked
from quizzer.checker.derivative import Array
from quizzer.checker.naming import canonical
from quizzer.judge.case import Case, opinion_on, worked_out
from quizzer.judge.difference import first_of
from quizzer.judge.judgement import RIGHT, Answered, Diagnosis
from quizzer.judge.pieces import may_have_pieces
from quizzer.judge.prepared import Prepared
from quizzer.judge.remarks import fault_at_ties, remark_on, same_at_ties, unconfirmed
from quizzer.text import clean
from quizzer.values import Verdict


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
    if without_number := _without_number(case, worked):
        return replace(answered, verdict=Verdict.INVALID, message=without_number)
    opinion = opinion_on(case.trial, posed, asked, worked.values)
    if opinion is True:
        return answered
    if isinstance(opinion, str):
        return _wrong(answered, Diagnosis("unexplained", opinion))
    remark = remark_on(posed, asked, worked.values)
    if remark is None:
        from quizzer.judge.reasons import convention, reason, view

        other = convention(case, worked)
        if other:
            return _right(answered, other)
        wrong = _wrong(answered, reason(case, worked, text))
        return replace(wrong, view=view(case, worked))
    doubt = unconfirmed(posed, asked, worked.further, remark)
    if doubt is None and text is not None and _may_have_pieces(case, text):
        more = _on_more(case, text, worked.notation)
        if without_number := _without_number(case, more):
            return replace(answered, verdict=Verdict.INVALID, message=without_number)
        doubt = unconfirmed(replace(posed, further=case.confirming()), asked, more.further, remark)
    if doubt is not None:
        return _wrong(answered, doubt)
    at_ties = fault_at_ties(posed, asked, worked.tied, remark)
    if at_ties is not None and (posed.sheet.ties or at_ties.code != "ties"):
        return _wrong(answered, _known_at_ties(case, worked, at_ties))
    if at_ties is not None:
        remark = at_ties
    return _right(answered, remark if remark.code else None)


def _may_have_pieces(case: Case, text: str) -> bool:
    sheet = case.posed.sheet
    names = (*case.posed.instances[0].names, *sheet.symbols.values(), *sheet.sizes, case.asked)
    return may_have_pieces(text, names)


def _on_more(case: Case, text: str, notation: str | None) -> Worked:
    """An answer on the many problems for those with pieces; on none if there is no time for it."""
    few = replace(case.posed, instances=case.posed.instances[:1], tied=())
    posed = replace(few, further=case.confirming())
    (worked,) = worked_out(case.trial, posed, case.asked, [text], notation)
    return replace(worked, invalid=None) if worked.late else worked


def _without_number(case: Case, worked: Worked) -> str | None:
    """Why an answer gives no number on one of the problems, None if it does on all."""
    if worked.invalid is not None:
        return worked.invalid
    for values in (*worked.values, *worked.further):
        if values is not None and not np.isfinite(values).all():
            return _not_finite(values, case.asked, case.posed.sheet.first_index)
    return None


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
