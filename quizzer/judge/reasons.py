"""Why an answer is not what was asked. No right answer needs this, so it is imported late."""

from msgspec.structs import replace

from quizzer.checker.answer import Evaluated
from quizzer.checker.remote import RemoteChecker
from quizzer.judge.accept import agrees, same_elsewhere
from quizzer.judge.acceptance import Arrays
from quizzer.judge.case import Case
from quizzer.judge.diagnosis import diagnose
from quizzer.judge.evidence import Evidence
from quizzer.judge.judgement import Diagnosis, View
from quizzer.judge.probes import Probe, probed
from quizzer.judge.view import view_of
from quizzer.sandbox.deadline import within

SECONDS = 3.0
"""What looking for a reason may take. Unless an answer is an attack it takes milliseconds."""

_TOO_LONG = Diagnosis("unexplained", "It is not what is asked; to say more would take too long.")
_UNSPECIFIC = ("not-accumulated", "partly", "unexplained")


def convention(evidence: Evidence, evaluated: Evaluated) -> Diagnosis | None:
    """The other convention of the card that an answer follows, if it does."""
    for claim in evidence.also:
        agreeing = agrees(evidence.case, evaluated.values, claim.values)
        if agreeing and same_elsewhere(evaluated.further, claim.further):
            return Diagnosis("convention", claim.sentence)
    return None


def reason(
    checker: RemoteChecker,
    evidence: Evidence,
    evaluated: Evaluated,
    text: str | None,
    probe: Probe | None = None,
) -> Diagnosis:
    """What is wrong with a wrong answer, from `text` if there is one."""
    diagnosis = _in_time(evaluated.values, evidence)
    if text is not None and diagnosis.code in _UNSPECIFIC and diagnosis is not _TOO_LONG:
        exchanged, doubled = (probe or probed)(checker, evidence.case, text, evaluated.notation)
        evidence = replace(evidence, exchanged=exchanged, doubled=doubled)
        diagnosis = _in_time(evaluated.values, evidence)
    return diagnosis


def _in_time(answers: Arrays, evidence: Evidence) -> Diagnosis:
    """The diagnosis, unless an answer was made so that looking for it takes too long."""
    return within(SECONDS, lambda: diagnose(answers, evidence)) or _TOO_LONG


def view(case: Case, evaluated: Evaluated) -> View | None:
    """Where a wrong answer differs, and what is right there."""
    first_index = case.sheet.first_index
    return within(
        SECONDS,
        lambda: view_of(case.asked, evaluated.values, case.truths, case.is_symmetric, first_index),
    )
