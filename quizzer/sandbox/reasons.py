"""Why an answer is not what was asked. No right answer needs this, so it is imported late."""

from dataclasses import replace

from quizzer.check.answer import Worked
from quizzer.check.diagnosis import diagnose
from quizzer.check.evidence import Evidence
from quizzer.check.judgement import Diagnosis, View
from quizzer.check.remarks import agrees, is_symmetric, same_elsewhere
from quizzer.check.view import view_of
from quizzer.sandbox.case import Case
from quizzer.sandbox.probes import probed

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
    diagnosis = diagnose(evidence)
    if text is not None and diagnosis.code in _UNSPECIFIC:
        exchanged, doubled = probed(case, text, worked.notation)
        diagnosis = diagnose(replace(evidence, exchanged=exchanged, doubled=doubled))
    return diagnosis


def view(case: Case, worked: Worked) -> View | None:
    """Where a wrong answer differs, beside what is right there."""
    posed, asked = case.posed, case.asked
    truths = [instance.truths[asked] for instance in posed.instances]
    symmetric = is_symmetric(posed.sheet, asked)
    return view_of(asked, worked.values, truths, symmetric, posed.sheet.first_index)
