"""What is wrong with a step of a derivation: from what was right to the first wrong line.

The looks are those at answers: the truth is what the left side stands for, the answer what the
line gives. What the step alone tells comes with it: the summands of the line before, and whether
one edit of the line makes it right.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from quizzer.checker.derivation.derive import Derive, Derived, Look, Seen
from quizzer.checker.derivation.values import Choice, Known
from quizzer.checker.derivative import Array
from quizzer.checker.instance import Truth
from quizzer.checker.posed import Posed
from quizzer.checker.sheet import Described
from quizzer.judge.acceptance import is_near
from quizzer.judge.case import Case
from quizzer.judge.diagnosis import diagnose
from quizzer.judge.edits import Change, Edit, edits
from quizzer.judge.evidence import Claimed, Evidence
from quizzer.judge.judgement import Diagnosis

_SIDE = "line"
_UNSPECIFIC = ("not-accumulated", "partly", "unexplained")
_MOST_EDITS = 120


@np.errstate(all="ignore")
def explained(
    request: Derive,
    derived: Derived,
    derive: Callable[[Derive], Derived],
    place: int,
    choice: Choice,
) -> Diagnosis:
    """What is wrong with the claim at this place."""
    by = next(each for each in derived.by if each.choice == choice)
    known, claim = by.known[place], derived.claims[place]
    if known is None or claim.kind == "equation":
        return Diagnosis("unexplained", "This does not hold at the optimum.")
    evidence = _evidence(request, known)
    if evidence is None:
        return Diagnosis("unexplained", "This is not what the left side is.")
    found = diagnose(known.values, evidence)
    if found.code not in _UNSPECIFIC:
        return _in_words_of_a_line(found)
    candidates = _edits(claim.text, request)
    look = Look(place, tuple(edit.text for edit in candidates), choice)
    seen = derive(replace(request, look=look)).seen or Seen()
    terms = tuple(Claimed(term.text, term.values) for term in seen.terms)
    missing = _missing_term(known, terms)
    if missing is not None:
        return missing
    again = diagnose(known.values, replace(evidence, terms=terms))
    if again.code not in _UNSPECIFIC:
        return _in_words_of_a_line(again)
    if seen.fitting is not None and seen.fitting < len(candidates):
        edit = candidates[seen.fitting]
        code = "sign" if edit.change is Change.SIGN else "one-edit"
        return Diagnosis(code, edit.place(claim.text))
    return replace(found, message="This is not what the left side is.")


def _in_words_of_a_line(found: Diagnosis) -> Diagnosis:
    message = found.message.replace("the right answer", "what is right")
    message = message.replace("your answer", "this line").replace("Your answer", "This line")
    return replace(found, message=message)


def _evidence(request: Derive, known: Known) -> Evidence | None:
    """The truth of a line as the truth of an answer; None where it is not known everywhere."""
    if len(known.truths) != len(request.instances):
        return None
    instances = tuple(
        replace(instance, truths={_SIDE: Truth(truth, error)})
        for instance, truth, error in zip(
            request.instances, known.truths, known.errors, strict=True
        )
    )
    sheet = replace(request.sheet, asked={_SIDE: ""}, right={})
    described = Described(sheet, (), (), ())
    return Evidence(Case(Posed(sheet, instances, (), (), described), _SIDE))


def _edits(text: str, request: Derive) -> list[Edit]:
    first = request.instances[0]
    axes = {name: np.ndim(value) for name, value in first.names.items()}
    found = edits(
        text, axes, "index" if "_" in text or "[" in text else "matrix", request.sheet.symbols
    )
    return found[:_MOST_EDITS]


def _missing_term(known: Known, terms: tuple[Claimed, ...]) -> Diagnosis | None:
    """A summand of the line before without which the line is as it is written."""
    rest: list[Array] = [
        truth - value
        for truth, value in zip(known.truths, known.values, strict=True)
        if truth.shape == value.shape
    ]
    if len(rest) != len(known.truths):
        return None
    for term in terms:
        if len(term.values) == len(rest) and all(
            value.shape == left.shape and is_near(left, value)
            for value, left in zip(term.values, rest, strict=True)
        ):
            return Diagnosis("missing-term", f"A term is missing: {term.sentence}.")
    return None
