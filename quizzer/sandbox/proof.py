"""Holding a checker's claims against its own instances, for the author of a card."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from quizzer.check.answer import Worked
from quizzer.check.checker import MAX_SECONDS
from quizzer.check.explain import Known, Material
from quizzer.check.instance import is_variable, shape
from quizzer.check.problem import Posed
from quizzer.check.remarks import agrees
from quizzer.review import Verdict
from quizzer.sandbox.judge import Flaw
from quizzer.sandbox.trial import INSTANCES, CheckerBroken, Trial
from quizzer.text import clean, one_line


def prove(trial: Trial, seed: int, count: int) -> list[Flaw]:
    """Every flaw found: broken parts and untrue claims are errors, poor samples warnings."""
    patient = min(MAX_SECONDS, trial.seconds * count / INSTANCES)
    trial = replace(trial, seconds=max(patient, trial.seconds))
    try:
        posed = trial.posed(seed, count)
        flaws = list(_samples(posed))
        materials = {asked: trial.material(posed, asked) for asked in posed.sheet.asked}
        for asked, material in materials.items():
            flaws += _claims(trial, posed, asked, material)
        flaws += _same_variants(trial, posed, materials)
        problems = [problem for material in materials.values() for problem in material.problems]
        flaws += [Flaw("broken-claim", clean(problem)) for problem in dict.fromkeys(problems)]
    except CheckerBroken as error:
        return [Flaw("broken", str(error))]
    return flaws


def _samples(posed: Posed) -> Iterator[Flaw]:
    """What makes instances poor: sizes that are always the same, 1, or equal; constant numbers."""
    first = posed.instances[0]
    variables = {name: value for name, value in first.inputs.items() if is_variable(value)}
    if all(not shape(value) for value in variables.values()):
        variables = {}
    lengths = {
        (name, axis): [shape(instance.inputs[name])[axis] for instance in posed.instances]
        for name, value in variables.items()
        for axis in range(len(shape(value)))
    }
    for (name, axis), found in lengths.items():
        if set(found) == {1}:
            yield _poor("size-one", f"axis {axis} of `{name}` has length 1 in every sample")
    if lengths and all(len(set(found)) == 1 for found in lengths.values()):
        yield _poor("same-sizes", "every sample has the same sizes; draw them from rng")
    pairs = [(a, b) for a in lengths for b in lengths if a < b]
    for a, b in pairs:
        square = a[0] in posed.sheet.symmetric
        if lengths[a] == lengths[b] and a[0] == b[0] and not square:
            yield _poor(
                "square", f"`{a[0]}` is square in every sample; a transposed answer may pass"
            )
    for name in variables:
        values = [np.asarray(instance.inputs[name]) for instance in posed.instances]
        if all(value.size > 1 and np.ptp(value) == 0 for value in values):
            yield _poor("constant", f"`{name}` holds one number only in every sample")


def _poor(code: str, message: str) -> Flaw:
    return Flaw(code, f"{message}", error=False)


def _claims(trial: Trial, posed: Posed, asked: str, material: Material) -> Iterator[Flaw]:
    yield from _right(trial, posed, asked)
    yield from _also(trial, posed, asked, material.also)
    yield from _wrong(trial, posed, asked, material.wrong)


def _right(trial: Trial, posed: Posed, asked: str) -> Iterator[Flaw]:
    texts = posed.sheet.right.get(asked, ())
    for text, worked in zip(texts, trial.worked(posed, asked, texts) if texts else (), strict=True):
        answered = trial.verdict(posed, asked, worked)
        if answered.verdict is not Verdict.CORRECT:
            yield Flaw(
                "right-rejected",
                f"`right` of {asked}, {one_line(text, 60)}, is {answered.verdict}: "
                f"{answered.message}",
            )


def _also(trial: Trial, posed: Posed, asked: str, known: Sequence[Known]) -> Iterator[Flaw]:
    """Each other convention must count as right, with its own sentence."""
    yield from _unreadable(trial, posed, asked, known, "also")
    for claim in trial.claims(posed, asked, known):
        answered = trial.verdict(posed, asked, Worked(claim.values, claim.tied))
        if answered.verdict is not Verdict.CORRECT:
            yield Flaw(
                "also-rejected",
                f"`also` of {asked}, {claim.sentence!r}, is {answered.verdict}: {answered.message}",
            )
        elif answered.message != claim.sentence:
            yield Flaw(
                "also-same",
                f"`also` of {asked}, {claim.sentence!r}, is what is asked itself; leave it out",
            )


def _wrong(trial: Trial, posed: Posed, asked: str, known: Sequence[Known]) -> Iterator[Flaw]:
    """Each known mistake must be rejected, and told apart from those before it."""
    yield from _unreadable(trial, posed, asked, known, "wrong")
    claims = trial.claims(posed, asked, known)
    for claim in claims:
        answered = trial.verdict(posed, asked, Worked(claim.values, claim.tied))
        if answered.verdict is Verdict.CORRECT:
            yield Flaw(
                "wrong-accepted", f"`wrong` of {asked}, {claim.sentence!r}, is a right answer"
            )
        elif answered.verdict is Verdict.INVALID:
            yield Flaw(
                "wrong-invalid",
                f"`wrong` of {asked}, {claim.sentence!r}, is no answer: {answered.message}",
            )
        elif answered.diagnosis and answered.diagnosis.message != claim.sentence:
            yield Flaw(
                "wrong-sentence",
                f"`wrong` of {asked}, {claim.sentence!r}, gets another sentence: "
                f"{answered.diagnosis.message}",
            )


def _same_variants(trial: Trial, posed: Posed, materials: dict[str, Material]) -> Iterator[Flaw]:
    """Variants that no asked name tells apart from the forward."""
    same: dict[str, list[bool]] = {}
    for asked, material in materials.items():
        truths = [instance.truths[asked].value for instance in posed.instances]
        for claim in trial.claims(posed, asked, material.variants):
            agreeing = agrees(posed, asked, truths, claim.values)
            same.setdefault(claim.sentence, []).append(agreeing)
    for sentence, agreed in same.items():
        if all(agreed):
            yield Flaw(
                "variant-same", f"the variant {sentence!r} has the gradient of forward itself"
            )


def _unreadable(
    trial: Trial, posed: Posed, asked: str, known: Sequence[Known], what: str
) -> Iterator[Flaw]:
    """Texts that give no array on these instances."""
    texts = [(each.sentence, each.text) for each in known if each.text is not None]
    if not texts:
        return
    results = trial.worked(posed, asked, [text for _, text in texts])
    for (sentence, _), worked in zip(texts, results, strict=True):
        if worked.invalid is not None:
            yield Flaw(
                f"{what}-invalid",
                f"`{what}` of {asked}, {clean(sentence)!r}, cannot be worked out: {worked.invalid}",
            )
