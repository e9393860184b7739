"""The search for one change that makes a wrong answer right."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from quizzer.checker.derivative import Array
from quizzer.checker.instance import shape
from quizzer.judge.accept import PLAIN, remark_on
from quizzer.judge.case import Case, evaluate
from quizzer.judge.edits import Edit, edits
from quizzer.judge.naming import canonical
from quizzer.judge.prepared import Prepared
from quizzer.judge.repair import Repair
from quizzer.text import clean


@np.errstate(all="ignore")
def repaired(prepared: Prepared, name: str, text: str, notation: str | None) -> Repair | None:
    """The first edit that makes a wrong answer right. Raises CheckerBroken."""
    meant = canonical(name, prepared.posed().sheet)
    if meant is None or not text.strip():
        return None
    asked, indexed = meant
    left = f"{name} = " if indexed else ""
    edit = _repairing(prepared, prepared.case(asked), left + text, notation)
    if edit is None:
        return None
    where, advice = clean(edit.place(left + text)), clean(edit.advice())
    return Repair(asked, where, advice, clean(edit.text[len(left) :]))


def _repairing(prepared: Prepared, case: Case, text: str, notation: str | None) -> Edit | None:
    """The edit, tried on one instance, then on all."""
    checker = prepared.checker
    (wrong,) = evaluate(checker, case, [text], notation)
    if wrong.invalid is not None or remark_on(case, wrong.values) is not None:
        return None
    candidates = edits(text, axes_of_names(case), wrong.notation or "numpy", case.sheet.symbols)
    texts = [edit.text for edit in candidates]
    first = case.posed.instances[:1]
    tried = evaluate(checker, case, texts, notation, first) if texts else ()
    for edit, evaluated in zip(candidates, tried, strict=True):
        if evaluated.invalid is not None or not _is_right(case, evaluated.values, 1):
            continue
        (again,) = evaluate(checker, case, [edit.text], notation)
        if again.invalid is None and _is_right(case, again.values, len(case.posed.instances)):
            return edit
    return None


def axes_of_names(case: Case) -> dict[str, int]:
    """The number of axes of each name that an answer may use."""
    names = case.sheet.answer_names(case.posed.instances[0], case.asked)
    return {name: len(shape(value)) for name, value in names.items() if not isinstance(value, str)}


def _is_right(case: Case, values: Sequence[Array], count: int) -> bool:
    """Whether an answer is right without a remark on the first `count` instances."""
    first = replace(case.posed, instances=case.posed.instances[:count], tied=())
    return remark_on(Case(first, case.asked), values) == PLAIN
