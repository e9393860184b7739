"""Holding a checker's claims against its own instances, for the author of a card."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from quizzer.checker import stages
from quizzer.checker.answer import Worked
from quizzer.checker.flaw import Flaw, line_of, line_said
from quizzer.checker.load import MAX_SECONDS
from quizzer.checker.problem import Posed
from quizzer.checker.requests import Inspect
from quizzer.checker.trial import INSTANCES, CheckerBroken, Trial
from quizzer.judge.case import Case, worked_out
from quizzer.judge.comparison import Comparison, compared
from quizzer.judge.evidence import Claimed
from quizzer.judge.judgement import Answered
from quizzer.judge.remarks import agrees
from quizzer.judge.sentences import sentence
from quizzer.judge.verdicts import verdict
from quizzer.lint.mutation import survivors
from quizzer.lint.rarity import rare_branches
from quizzer.lint.samples import poor_samples
from quizzer.sandbox.worker import Listening
from quizzer.text import clean, cut, one_line
from quizzer.values import Verdict

_MOST_PRINTED = 1_000


def prove(trial: Trial, seed: int, count: int, mutants: bool = False) -> list[Flaw]:
    """Every flaw found: broken parts and untrue claims are errors, poor samples warnings."""
    patient = min(MAX_SECONDS, trial.seconds * count / INSTANCES)
    listening = Listening(trial.worker)
    trial = replace(trial, seconds=max(patient, trial.seconds), worker=listening)
    flaws: list[Flaw] = []
    try:
        flaws += trial.deck_stage(stages.INSPECT, Inspect(trial.source)).flaws
        flaws += _flaws(trial, seed, count, mutants)
    except CheckerBroken as error:
        flaws.append(Flaw("broken", str(error)))
    if listening.printed:
        printed = cut(clean(listening.printed.decode("utf-8", "replace")).rstrip(), _MOST_PRINTED)
        flaws.append(
            Flaw("prints", f"It prints, which nobody sees in a session:\n{printed}", False)
        )
    return [_located(flaw, trial.source) for flaw in flaws]


def _flaws(trial: Trial, seed: int, count: int, mutants: bool) -> Iterator[Flaw]:
    posed = trial.posed(seed, count)
    yield from poor_samples(posed)
    yield from rare_branches(trial.branches())
    yield from _without_slope(posed)
    cases = [_case(trial, posed, asked) for asked in posed.sheet.asked]
    for case in cases:
        yield from _right(case)
        yield from _also(case)
        yield from _wrong(case)
    yield from _same_variants(cases)
    problems = [problem for case in cases for problem in case.compare().problems]
    for problem in dict.fromkeys(problems):
        yield Flaw("broken-claim", sentence(clean(problem)))
    if mutants:
        few = trial.posed(seed, INSTANCES)
        for case in cases:
            yield from survivors(case, few)


def _without_slope(posed: Posed) -> Iterator[Flaw]:
    """Asked derivatives that are zero wherever they were worked out."""
    for asked in posed.sheet.asked:
        truths = [instance.truths[asked].value for instance in posed.instances]
        if not any(map(np.any, truths)):
            yield Flaw(
                "zero", f"{asked} is zero in every sample, so any factor passes.", error=False
            )


def _case(trial: Trial, posed: Posed, asked: str) -> Case:
    comparison: list[Comparison] = []

    def compare() -> Comparison:
        if not comparison:
            comparison.append(compared(trial, posed, asked))
        return comparison[0]

    return Case(trial, posed, asked, compare)


def _right(case: Case) -> Iterator[Flaw]:
    texts = case.posed.sheet.right.get(case.asked, ())
    results = worked_out(case.trial, case.posed, case.asked, texts) if texts else ()
    for text, worked in zip(texts, results, strict=True):
        answered = verdict(case, worked)
        if answered.verdict is not Verdict.CORRECT:
            yield Flaw(
                "right-rejected",
                f"`right` of {case.asked}, {one_line(text, 60)!r}, is {answered.verdict}: "
                f"{sentence(answered.message)}",
            )


def _also(case: Case) -> Iterator[Flaw]:
    """Each other convention must count as right, with its own sentence."""
    yield from _unreadable(case, "also")
    for claim in case.compare().also:
        answered = _of_claim(case, claim)
        named = f"`also` of {case.asked}, {claim.sentence!r},"
        if answered.verdict is not Verdict.CORRECT:
            yield Flaw(
                "also-rejected", f"{named} is {answered.verdict}: {sentence(answered.message)}"
            )
        elif answered.message != claim.sentence:
            yield Flaw("also-same", f"{named} is what is asked itself; leave it out.")


def _wrong(case: Case) -> Iterator[Flaw]:
    """Each known mistake must be rejected, and told apart from those before it."""
    yield from _unreadable(case, "wrong")
    for claim in case.compare().wrong:
        answered = _of_claim(case, claim)
        named = f"`wrong` of {case.asked}, {claim.sentence!r},"
        if answered.verdict is Verdict.CORRECT:
            yield Flaw("wrong-accepted", f"{named} is a right answer.")
        elif answered.verdict is Verdict.INVALID:
            yield Flaw("wrong-invalid", f"{named} is no answer: {sentence(answered.message)}")
        elif answered.diagnosis and answered.diagnosis.message != claim.sentence:
            yield Flaw(
                "wrong-sentence",
                f"{named} gets another sentence: {sentence(answered.diagnosis.message)}",
            )


def _of_claim(case: Case, claim: Claimed) -> Answered:
    return verdict(case, Worked(claim.values, claim.tied, claim.further))


def _unreadable(case: Case, what: str) -> Iterator[Flaw]:
    """Texts that give no array on these instances."""
    for each in case.compare().unreadable:
        if each.what == what:
            yield Flaw(
                f"{what}-invalid",
                f"`{what}` of {case.asked}, {each.sentence!r}, cannot be worked out: {each.why}",
            )


def _same_variants(cases: list[Case]) -> Iterator[Flaw]:
    """Variants that no asked name tells apart from the forward."""
    same: dict[str, list[bool]] = {}
    for case in cases:
        truths = [instance.truths[case.asked].value for instance in case.posed.instances]
        for claim in case.compare().variants:
            agreeing = agrees(case.posed, case.asked, truths, claim.values)
            same.setdefault(claim.sentence, []).append(agreeing)
    for sentence_, agreed in same.items():
        if all(agreed):
            yield Flaw(
                "variant-same", f"The variant {sentence_!r} has the gradient of forward itself."
            )


def _located(flaw: Flaw, source: str) -> Flaw:
    """The flaw with the line that it says or whose text it quotes."""
    line = flaw.line or line_said(flaw.message) or line_of(flaw.message, source)
    return replace(flaw, message=clean(flaw.message), line=line)
