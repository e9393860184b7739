"""One checker on trial: its stages run elsewhere, and here the arrays are compared and judged."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from quizzer.check.acceptance import all_right, all_right_by_the_other_convention, reoriented
from quizzer.check.answer import Given, Work, Worked
from quizzer.check.derivative import Array
from quizzer.check.diagnosis import Claimed, Evidence, diagnose
from quizzer.check.explain import Accept, Explain, Known, Material
from quizzer.check.instance import Instance, Value, shape
from quizzer.check.judgement import Answered, Asks, Broken, Diagnosis, Judgement
from quizzer.check.naming import asks_of, canonical
from quizzer.check.problem import Describe, Pose, Posed
from quizzer.check.sheet import Sheet
from quizzer.check.target import resolve, target_shape
from quizzer.check.ties import TieInstance, within
from quizzer.review import Verdict
from quizzer.sandbox import stages
from quizzer.sandbox.soundness import instances_are_sound, material_is_sound
from quizzer.sandbox.stages import Failed, Stage
from quizzer.sandbox.worker import Worker
from quizzer.text import clean

INSTANCES = 4

_MOST_EXCHANGES = 6

Q = TypeVar("Q")
R = TypeVar("R")


class CheckerBroken(Exception):
    """The checker cannot be used; the message is for its author."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A checker's source, and the worker that runs its stages within `seconds` each."""

    worker: Worker
    name: str
    source: str
    seconds: float

    def asks(self) -> Asks | Broken:
        """What the card asks."""
        try:
            return asks_of(self.deck_stage(stages.DESCRIBE, Describe(self.source)))
        except CheckerBroken as error:
            return Broken(str(error))

    def judge(
        self, answers: Mapping[str, str], seed: int, notation: str | None
    ) -> Judgement | Broken:
        """The verdict on each answer."""
        try:
            posed = self.posed(seed, INSTANCES)
            return Judgement(
                seed,
                tuple(
                    self._judged(posed, typed, text, notation) for typed, text in answers.items()
                ),
            )
        except CheckerBroken as error:
            return Broken(str(error))

    def posed(self, seed: int, count: int) -> Posed:
        """Certified instances, and nothing in them that could not be compared."""
        posed = self.deck_stage(stages.POSE, Pose(self.source, seed, count))
        if not instances_are_sound(posed, count):
            raise CheckerBroken(f"{clean(self.name)}: the process gave no sound instances")
        return posed

    def material(self, posed: Posed, asked: str) -> Material:
        """What answers to `asked` can be compared with."""
        request = Explain(self.source, asked, posed.instances)
        material = self.deck_stage(stages.EXPLAIN, request)
        if not material_is_sound(material, posed, asked):
            raise CheckerBroken(f"{clean(self.name)}: the process gave no sound values")
        return material

    def worked(
        self, posed: Posed, asked: str, texts: Sequence[str], notation: str | None = None
    ) -> tuple[Worked, ...]:
        """The texts on all instances, in a process that never saw the card's code."""
        sheet = posed.sheet
        request = Work(
            asked=asked,
            texts=tuple(texts),
            instances=tuple(
                Given(sheet.answer_names(each, asked), each.truths[asked].value.shape)
                for each in posed.instances
            ),
            tied=tuple(
                Given(sheet.answer_names(each.instance, asked), _tied_shape(each, posed, asked))
                for each in posed.tied
            ),
            upstreams=tuple(posed.instances[0].upstreams),
            others=tuple(name for name in sheet.asked if name != asked),
            symbols=sheet.symbols,
            first_index=sheet.first_index,
            notation=notation,
        )
        result = stages.run(self.worker, stages.WORK, request, self.seconds)
        if isinstance(result, Failed):
            return (Worked(invalid=_why(result)),) * len(texts)
        wanted = [len(posed.instances), len(posed.tied)]
        if len(result.texts) != len(texts) or any(
            each.invalid is None and [len(each.values), len(each.tied)] != wanted
            for each in result.texts
        ):
            return (Worked(invalid="the process ended without a result"),) * len(texts)
        return tuple(map(_cleaned, result.texts))

    def verdict(
        self, posed: Posed, asked: str, worked: Worked, text: str | None = None
    ) -> Answered:
        """The verdict on an answer that has been worked out, from `text` if it was typed.

        Raises CheckerBroken.
        """
        if worked.invalid is not None:
            return Answered(
                name=asked,
                verdict=Verdict.INVALID,
                message=worked.invalid,
                notation=worked.notation,
                line=worked.line,
                column=worked.column,
            )
        first, truth = worked.values[0], posed.instances[0].truths[asked].value
        answered = Answered(
            asked, Verdict.CORRECT, "right", worked.notation, None, first.shape, truth.shape
        )
        for values in worked.values:
            if not np.isfinite(values).all():
                kind = "NaN" if np.isnan(values).any() else "infinity"
                return replace(answered, verdict=Verdict.INVALID, message=f"it gives {kind}")
        opinion = self._opinion(posed, asked, worked.values)
        if opinion is True:
            return answered
        if isinstance(opinion, str):
            return _wrong(answered, Diagnosis("unexplained", opinion))
        remark = _remark(posed, asked, worked.values)
        if remark is None:
            return self._explained(posed, asked, worked, answered, text)
        at_ties = _at_ties(posed, asked, worked.tied)
        if at_ties is not None and posed.sheet.ties:
            return _wrong(answered, Diagnosis("unexplained", at_ties))
        if at_ties is not None:
            remark = Diagnosis("ties", at_ties)
        return _right(answered, remark if remark.code else None)

    def deck_stage(self, stage: Stage[Q, R], request: Q) -> R:
        """A stage that runs the card's code; raises CheckerBroken where it gives no result."""
        result = stages.run(self.worker, stage, request, self.seconds)
        if isinstance(result, Failed):
            message = result.message
            if result.kind == "timeout":
                message += "; make it faster, or set `seconds`"
            raise CheckerBroken(f"{clean(self.name)}: {message}")
        return result

    def _judged(self, posed: Posed, typed: str, text: str, notation: str | None) -> Answered:
        meant = canonical(typed, posed.sheet)
        if meant is None:
            near = difflib.get_close_matches(typed, posed.sheet.asked, 1, 0.3)
            hint = f"did you mean {near[0]}?" if near else f"it asks {', '.join(posed.sheet.asked)}"
            message = clean(f"this card does not ask {typed}; {hint}")
            return Answered(clean(typed), Verdict.INVALID, message)
        asked, indexed = meant
        if not text.strip():
            return Answered(asked, Verdict.INVALID, "nothing was typed")
        left = f"{typed} = " if indexed else ""
        (worked,) = self.worked(posed, asked, [left + text], notation)
        answered = self.verdict(posed, asked, worked, left + text)
        if answered.line == 1 and answered.column is not None:
            column = answered.column - len(left)
            return replace(answered, column=column if column > 0 else None)
        return answered

    def _opinion(
        self, posed: Posed, asked: str, values: tuple[Array, ...]
    ) -> Literal[True] | str | None:
        """What the checker's `accept` says, a sentence being a refusal; None: it has no opinion."""
        if not posed.sheet.decides:
            return None
        request = Accept(self.source, asked, posed.instances, values)
        try:
            opinions = self.deck_stage(stages.ACCEPT, request).opinions
        except CheckerBroken:
            truths = [instance.truths[asked].value for instance in posed.instances]
            if all(a.shape == t.shape for a, t in zip(values, truths, strict=True)):
                raise
            return None
        if len(opinions) != len(values) or None in opinions:
            return None
        refusals = [opinion for opinion in opinions if opinion is not True]
        if not refusals:
            return True
        sentences = [clean(refusal) for refusal in refusals if isinstance(refusal, str)]
        return sentences[0] if sentences else "this is not one of the right answers"

    def _explained(
        self, posed: Posed, asked: str, worked: Worked, answered: Answered, text: str | None
    ) -> Answered:
        material = self.material(posed, asked)
        for claim in self.claims(posed, asked, material.also):
            if agrees(posed, asked, worked.values, claim.values):
                return _right(answered, Diagnosis("convention", claim.sentence))
        evidence = Evidence(
            asked=asked,
            sheet=posed.sheet,
            instances=posed.instances,
            answers=worked.values,
            wrong=tuple(self.claims(posed, asked, material.wrong)),
            variants=tuple(self.claims(posed, asked, material.variants)),
            terms=tuple(self.claims(posed, asked, material.terms)),
            jacobians=material.jacobians,
            others=tuple(Claimed(name, values) for name, values in material.others.items()),
        )
        diagnosis = diagnose(evidence)
        if text is not None and diagnosis.code in _UNSPECIFIC:
            exchanged = self._exchanged(posed, asked, text, worked.notation)
            diagnosis = diagnose(replace(evidence, exchanged=exchanged))
        return _wrong(answered, diagnosis)

    def _exchanged(
        self, posed: Posed, asked: str, text: str, notation: str | None
    ) -> tuple[Claimed, ...]:
        """The typed answer with an input in an output's place, and the other way round."""
        claims = []
        for used, meant in _exchangeable(posed, asked):
            instances = tuple(
                replace(each, **_with(each, used, each.names[meant])) for each in posed.instances
            )
            (worked,) = self.worked(
                replace(posed, instances=instances, tied=()), asked, [text], notation
            )
            if worked.invalid is None:
                claims.append(Claimed(f"{used} is used where {meant} belongs", worked.values))
        return tuple(claims)

    def as_worked(self, posed: Posed, values: tuple[Array, ...]) -> Worked:
        """Known values as an answer; nothing is known of them at ties."""
        return Worked(values, (None,) * len(posed.tied))

    def claims(self, posed: Posed, asked: str, known: Sequence[Known]) -> list[Claimed]:
        """The author's answers with their values; texts that cannot be worked out are left out."""
        texts = [each.text for each in known if each.text is not None]
        worked = iter(self.worked(posed, asked, texts) if texts else ())
        claims = []
        for each in known:
            values = each.values if each.text is None else next(worked).values
            if len(values) == len(posed.instances):
                claims.append(Claimed(clean(each.sentence), values))
        return claims


_PLAIN = Diagnosis("", "")
_UNSPECIFIC = ("not-accumulated", "partly", "unexplained")


def _exchangeable(posed: Posed, asked: str) -> list[tuple[str, str]]:
    """Pairs of an input and an output, in both orders, that have one shape on every instance."""
    pairs = []
    for variable in posed.sheet.variables:
        for output in posed.sheet.outputs:
            if output != asked and all(
                shape(each.inputs[variable]) == each.outputs[output].shape
                for each in posed.instances
            ):
                pairs += [(variable, output), (output, variable)]
    return pairs[:_MOST_EXCHANGES]


def _with(instance: Instance, name: str, value: Value) -> dict[str, Any]:
    """The changed group of an instance in which `name` has this value."""
    if name in instance.inputs:
        return {"inputs": instance.inputs | {name: value}}
    return {"outputs": instance.outputs | {name: np.asarray(value)}}


def agrees(posed: Posed, asked: str, answers: Sequence[Array], values: Sequence[Array]) -> bool:
    """Whether an answer is what an author's claim gives, by the same measure as the truth."""
    truths = [replace(instance.truths[asked]) for instance in posed.instances]
    claimed = [
        replace(t, value=v, error=1e-12, other=None) for t, v in zip(truths, values, strict=True)
    ]
    return all_right(answers, claimed, _is_symmetric(posed.sheet, asked))


def _remark(posed: Posed, asked: str, values: Sequence[Array]) -> Diagnosis | None:
    """None where the answer is not right; else the remark that goes with it, or an empty one."""
    truths = [instance.truths[asked] for instance in posed.instances]
    symmetric = _is_symmetric(posed.sheet, asked)
    turned = reoriented(values, truths)
    for arrays in (values, turned):
        if arrays is None:
            continue
        if all_right(arrays, truths, symmetric):
            if arrays is turned:
                return Diagnosis(
                    "orientation", "right; only axes of length 1 differ from the shape asked"
                )
            return _PLAIN
        if all_right_by_the_other_convention(arrays, truths, symmetric):
            return Diagnosis(
                "convention",
                "right, with the other convention: the message and the local derivative differ by "
                "the upstream of the loss only",
            )
    return None


def _at_ties(posed: Posed, asked: str, tied: Sequence[Array | None]) -> str | None:
    """What is wrong at ties with an answer that is right elsewhere."""
    for each, values in zip(posed.tied, tied, strict=True):
        bounds = each.bounds.get(asked)
        if bounds is None:
            continue
        wanted = bounds.low.shape[1] * bounds.directions.shape[1]
        if values is None or values.size != wanted or not np.isfinite(values).all():
            return "right away from ties; at a tie it gives no number"
        if not within(values, bounds):
            return (
                "right away from ties; where values tie, it is no element of the generalised "
                "gradient: the pieces that meet there must share one weight in all"
            )
    return None


def _is_symmetric(sheet: Sheet, asked: str) -> bool:
    return any(asked == f"d{name}" or asked.endswith(f"_d{name}") for name in sheet.symmetric)


def _tied_shape(tied: TieInstance, posed: Posed, asked: str) -> tuple[int, ...] | None:
    """The shape of what is asked at a tie: that of the derivative."""
    first = posed.instances[0]
    target = resolve(asked, first.variables, first.outputs)
    return target_shape(target, tied.instance) if target.variable is not None else None


def _right(answered: Answered, remark: Diagnosis | None) -> Answered:
    message = "right" if remark is None else remark.message
    return replace(answered, verdict=Verdict.CORRECT, message=message, diagnosis=remark)


def _wrong(answered: Answered, diagnosis: Diagnosis) -> Answered:
    return replace(answered, verdict=Verdict.WRONG, message=diagnosis.message, diagnosis=diagnosis)


def _why(failed: Failed) -> str:
    if failed.kind == "timeout":
        return f"{failed.message}: is there a loop without an end?"
    return failed.message


def _cleaned(worked: Worked) -> Worked:
    if worked.invalid is not None:
        return replace(worked, invalid=clean(worked.invalid))
    return replace(
        worked,
        values=tuple(np.asarray(values, float) for values in worked.values),
        tied=tuple(None if v is None else np.asarray(v, float) for v in worked.tied),
    )
