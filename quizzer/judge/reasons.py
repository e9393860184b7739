"""Why an answer is not what was asked. No right answer needs this, so it is imported late."""

from dataclasses import replace

from quizzer.checker.answer import Worked
from quizzer.judge.case import Case
from quizzer.judge.diagnosis import diagnose
from quizzer.judge.evidence import Evidence
from quizzer.judge.judgement import Diagnosis, View
from quizzer.judge.probes import probed
from quizzer.judge.remarks import agrees, is_symmetric, same_elsewhere
from quizzer.judge.view import view_of
from quizzer.sandbox.deadline import within

SECONDS = 3.0
"""What looking for a reason may take. Of an answer that is no attack it takes milliseconds."""

_TOO_LONG = Diagnosis("unexplained", "It is not what is asked; to say more would take too long.")
_UNSPECIFIC = ("not-accumulated", "partly", "unexplained")


def convention(case: Case, worked: Worked) -> Diagnosis | None:
    """The other convention of the card that an answer follows, if it does. Raises CheckerBroken."""
    for claim in case.compare().also:
        agreeing = agrees(case.posed, case.asked, worked.values, claim.values)
        if agreeing and same_elsewhere(worked.further, claim.further):
            return Diagnosis("convention", claim.sentence)
    return None


def reason(case: Case, worked: Worked, text: str | None) -> Diagnosis:
    """What is wrong with a wrong answer. Raises CheckerBroken."""
    comparison = case.compare()
    evidence = Evidence(
        asked=case.asked,
        sheet=case.posed.sheet,
        instances=case.posed.instances,
        answers=worked.values,
        wrong=comparison.wrong,
        variants=comparison.variants,
        terms=comparison.terms,
        jacobians=comparison.jacobians,
        others=comparison.others,
    )
    diagnosis = _in_time(evidence)
    if text is not None and diagnosis.code in _UNSPECIFIC and diagnosis is not _TOO_LONG:
        exchanged, doubled = probed(case, text, worked.notation)
        diagnosis = _in_time(replace(evidence, exchanged=exchanged, doubled=doubled))
    return diagnosis


def _in_time(evidence: Evidence) -> Diagnosis:
    """The diagnosis, unless an answer was made so that looking for it takes too long."""
    return within(SECONDS, lambda: diagnose(evidence)) or _TOO_LONG


def view(case: Case, worked: Worked) -> View | None:
    """Where a wrong answer differs, beside what is right there."""
    posed, asked = case.posed, case.asked
    truths = [instance.truths[asked] for instance in posed.instances]
    symmetric = is_symmetric(posed.sheet, asked)
    first_index = posed.sheet.first_index
    return within(SECONDS, lambda: view_of(asked, worked.values, truths, symmetric, first_index))
