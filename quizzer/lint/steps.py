"""A card's own solution, line by line as a derivation: a line that is wrong is told."""

from collections.abc import Iterator

from msgspec import Struct

from quizzer.card import Card
from quizzer.card.solved import Solved, solved
from quizzer.card.stated import stated_in
from quizzer.checker.answer import Evaluated
from quizzer.checker.derivation.derived import Derive, Derived
from quizzer.checker.flaw import Flaw
from quizzer.checker.posed import Posed
from quizzer.checker.stages import Failed
from quizzer.form.problems import Problems
from quizzer.form.sheet import ENOUGH, drafted_from, key_of, sheet_of, tidy
from quizzer.judge.derivation import JudgedDerivation, Mark, judged_lines, request_of
from quizzer.judge.prepared import Prepared
from quizzer.lint.compare import difference_of
from quizzer.lint.held import few
from quizzer.lint.warned import warned
from quizzer.text import one_line

_SHOWN = 70
_BY_SHAPE = ("diagonal-only", "jacobian", "not-summed", "over-summed", "transposed", "orientation")
"""Steps leave out indices, and mean an entry or a scalar."""


class _LateError(Exception):
    """The lines could not be worked out."""


class Steps(Struct, frozen=True):
    """A card's solution as a derivation, judged on a few problems."""

    card: Card
    own: Solved
    posed: Posed
    problems: Problems
    judged: JudgedDerivation


def judged_steps(card: Card, prepared: Prepared) -> Steps | None:
    """The steps of a card; None where they could not be worked out. Raises CheckerBroken."""
    own, checker = solved(card), prepared.checker

    def derive(request: Derive) -> Derived:
        derived = checker.derive(request)
        if isinstance(derived, Failed):
            raise _LateError
        return derived

    posed = few(prepared.posed())
    request = request_of(checker.source, posed, own.text, checker.sets(), stated_in(card))
    try:
        judged = judged_lines(request, derive) if own.text else JudgedDerivation(())
    except _LateError:
        return None
    return Steps(card, own, posed, Problems((request,), derive), judged)


def wrong_steps(steps: Steps) -> Iterator[Flaw]:
    """A warning for each line of the solution that is not what its left side is.

    Lines about asked names are compared with the truth elsewhere, and lines that cannot be read
    are not judged.
    """
    if steps.judged.first_wrong is None:
        return
    try:
        worked_out = steps.problems.derive(steps.problems.requests[0]).by[0].known
    except _LateError:
        return
    texts = steps.own.text.split("\n")
    for each, known in zip(steps.judged.lines, worked_out, strict=True):
        if each.mark is not Mark.WRONG or each.asked or known is None:
            continue
        if each.diagnosis and each.diagnosis.code in _BY_SHAPE:
            continue
        if not each.left.startswith("∂") and each.left not in steps.posed.instances[0].names:
            continue  # a name of the text's own, which may mean one thing and then another
        result = Evaluated(values=known.values)
        difference = difference_of(each.left, result, known.truths, steps.posed)
        shown = one_line(texts[each.line - 1].removeprefix("= "), _SHOWN)
        message = f"the solution's line `{shown}` is not {each.left}: {difference}"
        if difference:
            yield warned(steps.own.lines[each.line - 1], "wrong-step", message)


def has_few_lines(steps: Steps) -> bool:
    """Whether a slip or a missing line needs more lines than this card gives.

    Mostly the lines that were judged already are enough to tell; only otherwise all are.
    """
    drafted = {key_of(line.right) for line in drafted_from(steps.card)}
    right = {
        key_of(tidy(steps.own.rights[each.line - 1]))
        for each in steps.judged.lines
        if each.mark is Mark.RIGHT
    }
    if len(right & drafted) >= ENOUGH:
        return False
    try:
        sheet = sheet_of(steps.card, steps.posed.sheet.right, steps.problems)
    except _LateError:
        return False
    return len(sheet.lines) < ENOUGH
