"""An answer's whole way: posed, evaluated, accepted or diagnosed.

A checker *poses* one asked name on random instances and knows the truths (`Case`). The answer is
*evaluated* on each of them, in a process that never saw the checker's code. It is *accepted* if its
arrays are the truths, is confirmed on further problems, and is right at ties, too. Otherwise it is
*diagnosed*: compared with everything that it may be instead (`Evidence`). From evaluation on, only
arrays are compared.
"""

import difflib
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.answer import Evaluated
from quizzer.checker.derivative import Array
from quizzer.checker.sheet import Sheet
from quizzer.judge.accept import (
    accepted_where_it_differs,
    fault_at_ties,
    opinion_on,
    remark_on,
    same_at_ties,
    unconfirmed,
)
from quizzer.judge.case import Case, evaluate
from quizzer.judge.difference import first_of
from quizzer.judge.judgement import RIGHT, Answered, Diagnosis
from quizzer.judge.naming import canonical
from quizzer.judge.numbers import chosen, is_number, judged_number
from quizzer.judge.pieces import may_have_pieces
from quizzer.judge.prepared import Prepared
from quizzer.judge.units import without_unit
from quizzer.text import clean
from quizzer.values import Verdict

if TYPE_CHECKING:
    from quizzer.judge.probes import Probe


def judged(
    prepared: Prepared, name: str, text: str, notation: str | None, reading: str | None = None
) -> Answered:
    """The verdict on a text that answers to `name`, as the learner writes it.

    `reading` is the one that is meant of a text that has several. Raises CheckerBroken.
    """
    found = asking(prepared, name, text, reading)
    if isinstance(found, Answered):
        return found
    (evaluated,) = evaluate(prepared.checker, found.case, [found.text], notation)
    return found.verdict(prepared, evaluated)


class Asking(Struct, frozen=True):
    """A text that is to be evaluated: as it is sent, with the left side that it did not have."""

    case: Case
    text: str
    left: str

    def verdict(
        self, prepared: Prepared, evaluated: Evaluated, probe: "Probe | None" = None
    ) -> Answered:
        found = verdict(prepared, self.case, evaluated, self.text, probe)
        return _without_left(found, self.left)


def asking(prepared: Prepared, name: str, text: str, reading: str | None) -> Asking | Answered:
    """What is evaluated of a text that answers to `name`; the verdict where nothing need be."""
    posed = prepared.posed()
    meant = canonical(name, posed.sheet)
    if meant is None:
        return _not_asked(name, posed.sheet)
    asked, indexed = meant
    if not text.strip():
        return Answered(asked, Verdict.INVALID, "Nothing was typed.")
    left = f"{name} = " if indexed else ""
    case = replace(prepared.case(asked), meant=reading)
    if asked in posed.sheet.choices and (by_letter := chosen(prepared, case, text)):
        return by_letter
    if stated := posed.sheet.units.get(asked):
        text, unit = without_unit(text, stated, _names_of(case))
        case = replace(case, unit=unit)
    if _may_have_pieces(case, left + text):
        case = replace(case, many=prepared.many_at_hand(asked))
    return Asking(case, left + text, left)


@np.errstate(all="ignore")
def verdict(
    prepared: Prepared,
    case: Case,
    evaluated: Evaluated,
    text: str | None = None,
    probe: "Probe | None" = None,
) -> Answered:
    """The verdict on an answer that was evaluated, from `text` if there is one.

    Answers of huge numbers overflow here, without a warning. Raises CheckerBroken.
    """
    answered = _as_right(case, evaluated)
    if evaluated.invalid is not None:
        return _unread(answered, evaluated)
    if no_number := _no_number(case, evaluated):
        return _invalid(answered, no_number)
    if is_number(case, evaluated):
        return judged_number(prepared, case, evaluated, answered)
    if case.unit is not None:
        return _invalid(answered, f"Write a number before the unit {case.unit.text}.")
    opinion = opinion_on(prepared.checker, case, evaluated.values)
    if opinion is not None:
        return answered if opinion is True else _wrong(answered, Diagnosis("unexplained", opinion))
    remark = remark_on(case, evaluated.values)
    if remark is None:
        return _diagnosed(prepared, case, evaluated, text, answered, probe)
    doubt = unconfirmed(case, evaluated.further, remark)
    if doubt and accepted_where_it_differs(prepared.checker, case, evaluated.further):
        doubt = None
    if doubt is None and text is not None and _may_have_pieces(case, text):
        case_of_many, on_many = _on_many(prepared, case, evaluated, text)
        if on_many.invalid is not None:
            return _unread(answered, on_many)
        if no_number := _no_number(case, on_many):
            return _invalid(answered, no_number)
        doubt = unconfirmed(case_of_many, on_many.further, remark)
        if doubt and accepted_where_it_differs(prepared.checker, case_of_many, on_many.further):
            doubt = None
    if doubt is not None:
        return _wrong(answered, doubt)
    fault = fault_at_ties(case, evaluated.tied, remark)
    if fault is None:
        return _right(answered, remark)
    if fault.code == "ties" and not case.sheet.ties:  # the card is not about ties
        return _right(answered, fault)
    return _wrong(answered, _known_at_ties(prepared, case, evaluated, fault))


def _diagnosed(
    prepared: Prepared,
    case: Case,
    evaluated: Evaluated,
    text: str | None,
    answered: Answered,
    probe: "Probe | None",
) -> Answered:
    """The verdict on an answer that is not what was asked: it may follow the card's `also`."""
    from quizzer.judge.reasons import convention, reason, view

    evidence = replace(prepared.evidence(case.asked), case=case)
    if other := convention(evidence, evaluated):
        return _right(answered, other)
    wrong = _wrong(answered, reason(prepared.checker, evidence, evaluated, text, probe))
    return replace(wrong, view=view(case, evaluated))


def _not_asked(name: str, sheet: Sheet) -> Answered:
    near = difflib.get_close_matches(name, sheet.asked, 1, 0.3)
    hint = f"Did you mean {near[0]}?" if near else f"It asks for {', '.join(sheet.asked)}."
    message = clean(f"This card does not ask for {name}. {hint}")
    return Answered(clean(name), Verdict.INVALID, message)


def _without_left(answered: Answered, left: str) -> Answered:
    """The same with columns counted in what the learner wrote, without a left side before it."""
    if answered.line != 1 or answered.column is None:
        return answered
    column = answered.column - len(left)
    if column < 1:
        return replace(answered, line=None, column=None)
    return replace(answered, column=column)


def _may_have_pieces(case: Case, text: str) -> bool:
    return may_have_pieces(text, _names_of(case), case.sheet.sizes)


def _names_of(case: Case) -> tuple[str, ...]:
    """Every name that an answer may hold, as the card writes it too."""
    sheet = case.sheet
    given = case.posed.instances[0].names
    return (*given, *sheet.symbols.values(), *sheet.sizes, case.asked)


def _on_many(
    prepared: Prepared, case: Case, evaluated: Evaluated, text: str
) -> tuple[Case, Evaluated]:
    """The case of many problems, for answers with pieces of their own, and the answer on them.

    It is evaluated anew, to say why, where it has no value on one of them or they were not asked
    for yet; it is on none of them if there is no time.
    """
    many = case.many or prepared.many(case.asked)
    of_many = replace(case, posed=replace(case.posed, further=many.further), many=None)
    if evaluated.many:
        return of_many, replace(evaluated, further=evaluated.many)
    few = replace(of_many.posed, instances=case.posed.instances[:1], tied=())
    (again,) = evaluate(prepared.checker, replace(of_many, posed=few), [text], evaluated.notation)
    return of_many, replace(again, invalid=None) if again.late else again


def _known_at_ties(
    prepared: Prepared, case: Case, evaluated: Evaluated, fault: Diagnosis
) -> Diagnosis:
    """The card's own sentence on an answer that is wrong at ties only, if it has one."""
    for claim in prepared.evidence(case.asked).wrong:
        if same_at_ties(evaluated.tied, claim.tied):
            return Diagnosis("known-mistake", claim.sentence)
    return fault


def _as_right(case: Case, evaluated: Evaluated) -> Answered:
    """What is known of an answer when it was evaluated, as if it were right."""
    return Answered(
        name=case.asked,
        verdict=Verdict.CORRECT,
        message=RIGHT,
        notation=evaluated.notation,
        shape=evaluated.values[0].shape if evaluated.values else None,
        expected_shape=case.truths[0].value.shape if evaluated.values else None,
        understood=evaluated.understood,
        set_aside=evaluated.set_aside,
    )


def _unread(answered: Answered, evaluated: Evaluated) -> Answered:
    """The text cannot be read, or has readings that differ: where, and why."""
    assert evaluated.invalid is not None
    why = evaluated.invalid
    told = evaluated.code in ("ambiguous", "unfinished")
    return replace(
        _invalid(answered, why),
        diagnosis=Diagnosis(evaluated.code, why) if evaluated.code and told else None,
        line=evaluated.line,
        column=evaluated.column,
        readings=evaluated.readings,
    )


def _invalid(answered: Answered, why: str) -> Answered:
    return replace(answered, verdict=Verdict.INVALID, message=why)


def _right(answered: Answered, remark: Diagnosis) -> Answered:
    if not remark.code:
        return answered
    return replace(answered, message=remark.message, diagnosis=remark)


def _wrong(answered: Answered, diagnosis: Diagnosis) -> Answered:
    return replace(answered, verdict=Verdict.WRONG, message=diagnosis.message, diagnosis=diagnosis)


def _no_number(case: Case, evaluated: Evaluated) -> str | None:
    """Where an answer is NaN or infinity on one of the problems; None if it is on none."""
    found = [v for v in (*evaluated.values, *evaluated.further) if v is not None]
    if not found or np.isfinite(np.concatenate([values.reshape(-1) for values in found])).all():
        return None
    first = next(values for values in found if not np.isfinite(values).all())
    return _not_finite(first, case.asked, case.sheet.first_index)


def _not_finite(values: Array, asked: str, first_index: int) -> str:
    """Where the first NaN or infinity is."""
    index = first_of(~np.isfinite(values))
    nan = bool(np.isnan(values[index]))
    place = f"[{', '.join(str(i + first_index) for i in index)}]" if index else ""
    kind, advice = ("NaN", "a root or logarithm of a negative number, or 0/0") if nan else (
        "infinity", "a division by zero, or exp of a large number"
    )  # fmt: skip
    return f"{asked}{place} is {kind}: look for {advice}."
