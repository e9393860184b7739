"""The search for one change that makes a wrong answer right."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from quizzer.checker.derivative import Array
from quizzer.checker.instance import shape
from quizzer.checker.naming import canonical
from quizzer.judge.case import Case, worked_out
from quizzer.judge.edits import Edit, edits
from quizzer.judge.prepared import Prepared
from quizzer.judge.remarks import PLAIN, remark_on
from quizzer.judge.repair import Repair
from quizzer.text import clean


@np.errstate(all="ignore")
def mended(prepared: Prepared, typed: str, text: str, notation: str | None) -> Repair | None:
    """The first edit that mends the answer; tried on one instance, then on all.

    Raises CheckerBroken.
    """
    meant = canonical(typed, prepared.posed().sheet)
    if meant is None or not text.strip():
        return None
    asked, indexed = meant
    case = prepared.case(asked)
    whole = f"{typed} = {text}" if indexed else text
    worked = case.worked(whole, notation)
    if worked.invalid is not None or remark_on(case.posed, asked, worked.values) is not None:
        return None
    edit = _mending(case, whole, worked.notation or "numpy", notation)
    if edit is None:
        return None
    left = len(whole) - len(text)
    where, advice = clean(edit.place(whole)), clean(edit.advice())
    return Repair(asked, where, advice, clean(edit.text[left:]))


def _mending(case: Case, text: str, read_as: str, forced: str | None) -> Edit | None:
    posed, asked = case.posed, case.asked
    given = posed.sheet.answer_names(posed.instances[0], asked)
    axes = {name: len(shape(value)) for name, value in given.items() if not isinstance(value, str)}
    candidates = edits(text, axes, read_as, posed.sheet.symbols)
    texts = [edit.text for edit in candidates]
    first = posed.instances[:1]
    tried = worked_out(case.trial, posed, asked, texts, forced, first) if texts else ()
    for edit, worked in zip(candidates, tried, strict=True):
        if worked.invalid is not None or not _is_right(case, worked.values, 1):
            continue
        again = case.worked(edit.text, forced)
        if again.invalid is None and _is_right(case, again.values, len(posed.instances)):
            return edit
    return None


def _is_right(case: Case, values: Sequence[Array], count: int) -> bool:
    """Whether an answer is right without a remark on the first `count` instances."""
    posed = replace(case.posed, instances=case.posed.instances[:count], tied=())
    return remark_on(posed, case.asked, values) == PLAIN
