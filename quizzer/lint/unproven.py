"""A forward that is the card's own formula, and no answer that was read apart from it agrees."""

from collections.abc import Iterator, Sequence

from quizzer.card import Card
from quizzer.card.formulating import answer_lines
from quizzer.checker.answer import Evaluated
from quizzer.checker.flaw import Flaw
from quizzer.judge.case import Case
from quizzer.judge.judge import verdict
from quizzer.judge.prepared import Prepared
from quizzer.lint.warned import warned
from quizzer.text import one_line
from quizzer.values import Verdict


def unproven(
    prepared: Prepared, case: Case, results: Sequence[Evaluated], card: Card | None
) -> Iterator[Flaw]:
    """A warning where the forward is taken from the question, and neither a `right` nor the Short
    Answer agrees with its derivative: a slip in the formula would be nobody's to find.

    `results` are those of every `right`.
    """
    taken, rights = case.sheet.taken, case.sheet.right.get(case.asked, ())
    line = taken.right.get(case.asked)
    if not taken.forward or (rights and line is None):
        return
    for evaluated in results:
        if verdict(prepared, case, evaluated).verdict is Verdict.CORRECT:
            return
    if line is not None:
        shown = one_line(rights[0].splitlines()[-1], 70)
        said = f"the Short Answer (line {line}), `{shown}`, gives another {case.asked}"
    else:
        answered = answer_lines(card) if card else range(0)
        where = f" (line {answered.start})" if answered else ""
        said = f"no formula of the Short Answer{where} could be read as {case.asked}"
    forward = ", ".join(map(str, taken.forward))
    yield warned(
        line or taken.forward[0],
        "unproven",
        f"the forward is the question's own formula (line {forward}), and {said}: mend one of "
        f"them, or write `right {case.asked} = …` into the checker.",
    )
