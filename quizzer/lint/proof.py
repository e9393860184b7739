"""Proving a checker: every claim of its author is held against its instances.

What fails is an error, samples through which a wrong answer may slip are a warning.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.card import Card
from quizzer.checker.answer import Evaluated
from quizzer.checker.flaw import UNREAD_LINE, Flaw, line_of, line_said
from quizzer.checker.load import MAX_SECONDS
from quizzer.checker.remote import INSTANCES, CheckerBroken, RemoteChecker
from quizzer.checker.source import Declared, Source
from quizzer.checker.studied import Studied
from quizzer.form.forms import forms_without_lines
from quizzer.judge.accept import agrees
from quizzer.judge.case import Case
from quizzer.judge.evidence import Claimed
from quizzer.judge.judge import verdict
from quizzer.judge.judgement import Answered
from quizzer.judge.judges import Judge, broken
from quizzer.judge.prepared import Prepared
from quizzer.judge.source import Allows, UnreadableChecker
from quizzer.lint.compare import compare
from quizzer.lint.held import own_answers
from quizzer.lint.numbers import poor_numbers
from quizzer.lint.samples import poor_samples, rare_branches
from quizzer.lint.steps import has_few_lines, judged_steps, wrong_steps
from quizzer.lint.survivors import survivors
from quizzer.lint.unproven import unproven
from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.pool import shared
from quizzer.sandbox.worker import Listening
from quizzer.text import clean, cut, one_line, sentence
from quizzer.values import Form, Verdict

_COUNT = 20
_MOST_PRINTED = 1_000


class Proof(Struct, frozen=True):
    """What was found of a checker and the card beside it."""

    flaws: list[Flaw]
    few_lines: tuple[Form, ...] | None = None
    """The forms of a card that gives too few lines for the others."""


class Study(Struct, frozen=True):
    """A checker with what is known of it: the rest is worked out when it is asked for."""

    found: Studied
    prepared: Prepared
    few: Prepared | None
    """The instances of one judgement, for mutants."""


def prove(
    judge: Judge,
    checker: Path,
    seed: int,
    count: int = _COUNT,
    mutants: bool = False,
    card: Card | None = None,
) -> list[Flaw]:
    """Everything that is wrong with a checker, by `count` instances and more.

    With `mutants`, answers that are made from the right ones by one change must be rejected.
    The `card` beside it is compared with it.
    """
    return prove_card(judge, checker, seed, count, mutants, card).flaws


def prove_card(
    judge: Judge,
    checker: Path,
    seed: int,
    count: int = _COUNT,
    mutants: bool = False,
    card: Card | None = None,
) -> Proof:
    """The same, and whether the card gives too few lines for some forms."""
    judge.warm()
    try:
        return _proved(judge.checker(checker), seed, count, mutants, card)
    except (UnreadableChecker, SandboxError) as error:
        return Proof([Flaw("unreadable", clean(str(error)))])
    except Exception as error:
        return Proof([Flaw("broken", broken(checker, error).message)])


def prove_all(
    checkers: Sequence[Path],
    seed: int,
    count: int = _COUNT,
    mutants: bool = False,
    progress: Callable[[int, int], None] | None = None,
    allows: Allows = lambda file, source: True,
    cards: Mapping[Path, Card] | None = None,
) -> list[Proof]:
    """The proofs of many checkers, in their order, with a sandbox for every processor.

    `progress` gets, in the calling thread, how many are done of how many. Those of `cards`, by
    their checkers, are compared with them.
    """
    return shared(
        lambda: Judge(allows=allows),
        lambda judge, path: prove_card(judge, path, seed, count, mutants, (cards or {}).get(path)),
        checkers,
        progress,
    )


def _proved(
    checker: RemoteChecker, seed: int, count: int, mutants: bool, card: Card | None
) -> Proof:
    patient = min(MAX_SECONDS, checker.seconds * count / INSTANCES)
    listening = Listening(checker.worker)
    checker = replace(checker, seconds=max(patient, checker.seconds), worker=listening)
    flaws: list[Flaw] = []
    few_lines: tuple[Form, ...] | None = None
    try:
        study = _study(checker, seed, count, mutants)
        flaws += checker.inspect() if study.found.flaws is None else study.found.flaws
        if any(flaw.code == UNREAD_LINE for flaw in flaws):
            flaws += _of_the_rest(checker, seed, count, mutants, card)
        else:
            flaws += _flaws(study, card)
            if card is not None and (steps := judged_steps(card, study.prepared)):
                flaws += wrong_steps(steps)
                few_lines = forms_without_lines(card) if has_few_lines(steps) else None
    except CheckerBroken as error:
        flaws.append(Flaw("broken", str(error)))
    if listening.printed:
        printed = cut(clean(listening.printed.decode("utf-8", "replace")).rstrip(), _MOST_PRINTED)
        message = f"It prints, which nobody sees in a session:\n{printed}"
        flaws.append(Flaw("prints", message, error=False))
    return Proof([_located(flaw, checker.source) for flaw in flaws], few_lines)


def _of_the_rest(
    checker: RemoteChecker, seed: int, count: int, mutants: bool, card: Card | None
) -> list[Flaw]:
    """The errors of a declared checker without the lines that cannot be read, if the others can do
    without them."""
    assert isinstance(checker.source, Declared)
    partial = replace(checker, source=replace(checker.source, is_partial=True))
    try:
        found = list(_flaws(_study(partial, seed, count, mutants), card))
    except CheckerBroken:  # the lines that cannot be read say why
        return []
    return [flaw for flaw in found if flaw.error]


def _study(checker: RemoteChecker, seed: int, count: int, mutants: bool) -> Study:
    found = checker.study(seed, count, INSTANCES * mutants)
    prepared = Prepared(checker, seed, count, found.posed)
    if found.materials:
        prepared.give_evidence(found.materials)
    few = Prepared(checker, seed, posed=found.on_few(INSTANCES)) if mutants else None
    return Study(found, prepared, few)


def _flaws(study: Study, card: Card | None) -> Iterator[Flaw]:
    prepared, few = study.prepared, study.few
    checker = prepared.checker
    posed = prepared.posed()
    yield from poor_samples(posed)
    yield from rare_branches(checker.branches())
    cases = [prepared.case(asked) for asked in posed.sheet.asked]
    yield from _without_slope(cases)
    rights = own_answers(checker, cases)
    for case, evaluated in zip(cases, rights, strict=True):
        yield from _right(prepared, case, evaluated)
        yield from unproven(prepared, case, evaluated, card)
        yield from _also(prepared, case)
        yield from _wrong(prepared, case)
    if posed.shown:
        yield from poor_numbers(checker, prepared.seed)
    yield from _same_variants(prepared, cases)
    messages = [each for case in cases for each in prepared.evidence(case.asked).broken]
    for message in dict.fromkeys(messages):
        yield Flaw("broken-claim", sentence(clean(message)))
    if card is not None:
        yield from compare(card, prepared)
    if few is not None:
        cases_of_few = [few.case(case.asked) for case in cases]
        yield from survivors(checker, cases, cases_of_few, study.found.varied)


def _without_slope(cases: Sequence[Case]) -> Iterator[Flaw]:
    """Asked derivatives that are zero wherever they were worked out."""
    for case in cases:
        if not any(np.any(truth.value) for truth in case.truths):
            message = f"{case.asked} is zero in every sample, so any factor passes."
            yield Flaw("zero", message, error=False)


def _right(prepared: Prepared, case: Case, results: Sequence[Evaluated]) -> Iterator[Flaw]:
    if case.asked in case.sheet.taken.right:
        return
    for text, evaluated in zip(case.sheet.right.get(case.asked, ()), results, strict=True):
        answered = verdict(prepared, case, evaluated)
        if answered.verdict is not Verdict.CORRECT:
            yield Flaw(
                "right-rejected",
                f"`right` of {case.asked}, {one_line(text, 60)!r}, is {answered.verdict}: "
                f"{sentence(answered.message)}",
            )


def _also(prepared: Prepared, case: Case) -> Iterator[Flaw]:
    """Each other convention must count as right, with its own sentence."""
    yield from _invalid(prepared, case, "also")
    for claim in prepared.evidence(case.asked).also:
        answered = _verdict_on(prepared, case, claim)
        named = f"`also` of {case.asked}, {claim.sentence!r},"
        if answered.verdict is not Verdict.CORRECT:
            yield Flaw(
                "also-rejected", f"{named} is {answered.verdict}: {sentence(answered.message)}"
            )
        elif answered.message != claim.sentence:
            yield Flaw("also-same", f"{named} is what is asked itself; leave it out.")


def _wrong(prepared: Prepared, case: Case) -> Iterator[Flaw]:
    """Each known mistake must be rejected, and told apart from those before it."""
    yield from _invalid(prepared, case, "wrong")
    for claim in prepared.evidence(case.asked).wrong:
        answered = _verdict_on(prepared, case, claim)
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


def _verdict_on(prepared: Prepared, case: Case, claim: Claimed) -> Answered:
    return verdict(prepared, case, Evaluated(claim.values, claim.tied, claim.further))


def _invalid(prepared: Prepared, case: Case, what: str) -> Iterator[Flaw]:
    """Claims that have no value on these instances."""
    for each in prepared.evidence(case.asked).invalid:
        if each.what == what:
            yield Flaw(
                f"{what}-invalid",
                f"`{what}` of {case.asked}, {each.sentence!r}, cannot be worked out: {each.reason}",
            )


def _same_variants(prepared: Prepared, cases: Sequence[Case]) -> Iterator[Flaw]:
    """Variants that no asked name tells apart from the forward."""
    same: dict[str, list[bool]] = {}
    for case in cases:
        truths = [truth.value for truth in case.truths]
        for claim in prepared.evidence(case.asked).variants:
            same.setdefault(claim.sentence, []).append(agrees(case, truths, claim.values))
    for variant, agreed in same.items():
        if all(agreed):
            yield Flaw(
                "variant-same", f"The variant {variant!r} has the gradient of forward itself."
            )


def _located(flaw: Flaw, source: Source) -> Flaw:
    """The flaw with the line that it says or whose text it quotes."""
    if flaw.in_card:
        return replace(flaw, message=clean(flaw.message))
    said, in_card = line_said(flaw.message)
    line = flaw.line or said or line_of(flaw.message, source)
    return replace(flaw, message=clean(flaw.message), line=line, in_card=in_card)
