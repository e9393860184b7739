"""A card's own solution, line by line as a derivation: a line that is wrong is told."""

from collections.abc import Iterator

from quizzer.card import Card
from quizzer.card.solved import solved
from quizzer.checker.answer import Evaluated
from quizzer.checker.derivation.derive import Derive, Derived
from quizzer.checker.flaw import Flaw
from quizzer.checker.stages import Failed
from quizzer.judge.derivation import Mark, judged_lines, request_of
from quizzer.judge.prepared import Prepared
from quizzer.judge.source import stated_in
from quizzer.lint.compare import difference_of
from quizzer.lint.held import few
from quizzer.lint.warned import warned
from quizzer.text import one_line

_SHOWN = 70
_BY_SHAPE = ("diagonal-only", "jacobian", "not-summed", "over-summed", "transposed", "orientation")
"""Steps leave out indices, and mean an entry or a scalar."""


class _LateError(Exception):
    """The lines could not be worked out."""


def wrong_steps(card: Card, prepared: Prepared) -> Iterator[Flaw]:
    """A warning for each line of the solution that is not what its left side is.

    Lines about asked names are compared with the truth elsewhere, and lines that cannot be read
    are not judged.
    """
    own = solved(card)
    if not own.text:
        return
    checker = prepared.checker

    def derive(request: Derive) -> Derived:
        derived = checker.derive(request)
        if isinstance(derived, Failed):
            raise _LateError
        return derived

    posed = few(prepared.posed())
    request = request_of(checker.source, posed, own.text, checker.sets(), stated_in(card))
    try:
        found = judged_lines(request, derive)
        if found.first_wrong is None:
            return
        worked_out = derive(request).by[0].known
    except _LateError:
        return
    texts = own.text.split("\n")
    for each, known in zip(found.lines, worked_out, strict=True):
        if each.mark is not Mark.WRONG or each.asked or known is None:
            continue
        if each.diagnosis and each.diagnosis.code in _BY_SHAPE:
            continue
        if not each.left.startswith("∂") and each.left not in posed.instances[0].names:
            continue  # a name of the text's own, which may mean one thing and then another
        difference = difference_of(each.left, Evaluated(values=known.values), known.truths, posed)
        shown = one_line(texts[each.line - 1].removeprefix("= "), _SHOWN)
        message = f"the solution's line `{shown}` is not {each.left}: {difference}"
        if difference:
            yield warned(own.lines[each.line - 1], "wrong-step", message)
