"""What is wrong with a step of a derivation: from what was right to the first wrong line.

The looks are those at answers: the truth is what the left side stands for, the answer what the
line gives. What the step alone tells comes with it: the summands of the line before, and whether
one edit of the line makes it right.
"""

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from quizzer.checker.derivation.derived import (
    Choice,
    Derive,
    Derived,
    Known,
    Look,
    Mend,
    Part,
    Seen,
)
from quizzer.checker.instance import Truth
from quizzer.checker.posed import Posed
from quizzer.checker.sheet import Described
from quizzer.judge.case import Case
from quizzer.judge.diagnosis import diagnose
from quizzer.judge.evidence import Evidence
from quizzer.judge.factors import are_all, factors_between, shown, size_factor
from quizzer.judge.judgement import Diagnosis
from quizzer.notation.changes import Change

_SIDE = "line"
_UNSPECIFIC = ("not-accumulated", "partly", "unexplained")
_CODES: dict[str, str] = {Change.SIGN: "sign"}
_THINGS: dict[str, str] = {Change.TERM: "a term", Change.FACTOR: "a factor", Change.SUM: "a sum"}
_NOTHING = Diagnosis("unexplained", "This is not what the left side is.")


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
    if known is None:
        return _NOTHING
    if claim.kind == "remark":
        return Diagnosis("unexplained", f"“{claim.left}” does not hold.")
    evidence = _evidence(request, known)
    found = None if evidence is None else diagnose(known.values, evidence)
    if found is not None and found.code not in _UNSPECIFIC:
        return _in_words_of_a_line(found)
    seen = derive(replace(request, look=Look(place, choice))).seen or Seen()
    if seen.mend is not None and seen.mend.change == Change.TERM and seen.mend.line is not None:
        return _of_mend(seen.mend)
    for part in seen.parts:
        factor = _of_part(part, request)
        if factor is not None:
            return factor
    if seen.mend is not None:
        return _of_mend(seen.mend)
    if claim.kind == "equation":
        return Diagnosis("unexplained", "This does not hold.")
    return replace(found or _NOTHING, message="This is not what the left side is.")


def _in_words_of_a_line(found: Diagnosis) -> Diagnosis:
    message = found.message.replace("the right answer", "what is right")
    message = message.replace("your answer", "this line").replace("Your answer", "This line")
    return replace(found, message=message)


def _evidence(request: Derive, known: Known) -> Evidence | None:
    """The truth of a line as the truth of an answer; None where it is not known everywhere."""
    if len(known.truths) != len(request.instances) or not any(map(np.any, known.truths)):
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


def _of_part(part: Part, request: Derive) -> Diagnosis | None:
    """A summand that is a number or a size times what it should be."""
    if len(part.values) != len(request.instances):
        return None
    found = factors_between(part.values, part.wanted)
    if not found:
        return None
    factors = list(found.values())
    if are_all(factors, -1.0):
        return Diagnosis("sign", f"Look at the sign of “{part.text}”.")
    if are_all(factors, factors[0]):
        return _term_factor(part, shown(factors[0]))
    instances = [request.instances[k] for k in found]
    size = size_factor(factors, instances, request.sheet)
    return None if size is None else _term_factor(part, size)


def _term_factor(part: Part, factor: str) -> Diagnosis:
    return Diagnosis("term-factor", f"“{part.text}” is {factor} × what it should be.")


def _of_mend(mend: Mend) -> Diagnosis:
    """What one change says, without saying what to write."""
    code = _CODES.get(mend.change, "one-edit")
    if mend.line is not None:
        code = "missing-term" if mend.change == Change.TERM else code
        return Diagnosis(code, _of_right_line(mend))
    if mend.way:
        return Diagnosis("missing-term", f"A term is missing: the one by way of {mend.way}.")
    if mend.added:
        thing = _THINGS.get(mend.change, "something")
        code = "missing-term" if mend.change == Change.TERM else "one-edit"
        return Diagnosis(code, f"Look at “{mend.was}”: {thing} is missing there.")
    if mend.change == Change.SIGN:
        return Diagnosis(code, f"Look at the sign of “{mend.was}”.")
    if mend.change == Change.TERM:
        return Diagnosis(code, f"Do you need “{mend.was}”?")
    within = f" in “{mend.within}”" if mend.within else ""
    return Diagnosis(code, f"Look at “{mend.was}”{within}.")


def _of_right_line(mend: Mend) -> str:
    """What became of a right line, or of the card's own formula, which is not shown."""
    if not mend.line:
        thing = _THINGS.get(mend.change)
        return f"{thing[0].upper()}{thing[1:]} is missing." if thing else "One thing is changed."
    since = f"From line {mend.line},"
    if mend.change == Change.SIGN:
        return f"{since} the sign of “{mend.was}” is changed."
    if mend.change in (Change.TERM, Change.FACTOR):
        return f"{since} {_THINGS[mend.change]} is lost: “{mend.was}”."
    within = f" in “{mend.within}”" if mend.within else ""
    return f"{since} “{mend.was}”{within} is changed."
