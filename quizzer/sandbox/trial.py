"""One checker on trial: its stages run elsewhere, and here the arrays are compared and judged."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from quizzer.check.answer import Given, Work, Worked
from quizzer.check.derivative import Array
from quizzer.check.diagnosis import Claimed, Evidence, diagnose
from quizzer.check.edits import edits
from quizzer.check.explain import Accept, Explain, Known, Material
from quizzer.check.instance import Instance, Value, shape
from quizzer.check.judgement import Answered, Asks, Broken, Diagnosis, Judgement
from quizzer.check.naming import asks_of, canonical
from quizzer.check.problem import Describe, Pose, Posed
from quizzer.check.remarks import PLAIN, agrees, fault_at_ties, remark_on, same_at_ties, tied_shape
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
        tied = tuple(each.instance for each in posed.tied)
        request = Explain(self.source, asked, posed.instances, tied)
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
                Given(sheet.answer_names(each.instance, asked), tied_shape(each, posed, asked))
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
                message = _not_finite(values, asked, posed.sheet.first_index)
                return replace(answered, verdict=Verdict.INVALID, message=message)
        opinion = self._opinion(posed, asked, worked.values)
        if opinion is True:
            return answered
        if isinstance(opinion, str):
            return _wrong(answered, Diagnosis("unexplained", opinion))
        remark = remark_on(posed, asked, worked.values)
        if remark is None:
            return self._explained(posed, asked, worked, answered, text)
        at_ties = fault_at_ties(posed, asked, worked.tied, remark)
        if at_ties is not None and posed.sheet.ties:
            return _wrong(answered, self._known_at_ties(posed, asked, worked, at_ties))
        if at_ties is not None:
            remark = Diagnosis("ties", at_ties)
        return _right(answered, remark if remark.code else None)

    def deck_stage(self, stage: Stage[Q, R], request: Q) -> R:
        """A stage that runs the card's code; raises CheckerBroken where it gives no result."""
        result = stages.run(self.worker, stage, request, self.seconds)
        if isinstance(result, Failed):
            message = result.message
            if result.kind == "timeout":
                message += "; sample smaller arrays, or set `seconds`"
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

    def _known_at_ties(self, posed: Posed, asked: str, worked: Worked, fault: str) -> Diagnosis:
        """The card's own sentence on an answer that is wrong at ties only, if it has one."""
        for claim in self.claims(posed, asked, self.material(posed, asked).wrong):
            if same_at_ties(worked.tied, claim.tied):
                return Diagnosis("known-mistake", claim.sentence)
        return Diagnosis("ties", fault)

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
        if text is not None and diagnosis.code in _LAST_RESORTS:
            diagnosis = self._one_edit(posed, asked, text, worked.notation) or diagnosis
        return _wrong(answered, diagnosis)

    def _one_edit(
        self, posed: Posed, asked: str, text: str, notation: str | None
    ) -> Diagnosis | None:
        """Where one change makes the typed answer right. Tried on one instance, then on all."""
        given = posed.sheet.answer_names(posed.instances[0], asked)
        axes = {n: len(shape(value)) for n, value in given.items() if not isinstance(value, str)}
        candidates = edits(text, axes, notation or "numpy")
        one = replace(posed, instances=posed.instances[:1], tied=())
        tried = self.worked(one, asked, [edit.text for edit in candidates], notation)
        for edit, worked in zip(candidates, tried, strict=True):
            if worked.invalid is None and remark_on(one, asked, worked.values) == PLAIN:
                (again,) = self.worked(replace(posed, tied=()), asked, [edit.text], notation)
                if not again.invalid and remark_on(posed, asked, again.values) == PLAIN:
                    where = clean(edit.around(text))
                    return Diagnosis("one-edit", f"one change makes it right: look at {where}")
        return None

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

    def claims(self, posed: Posed, asked: str, known: Sequence[Known]) -> list[Claimed]:
        """The author's answers with their values; texts that cannot be worked out are left out."""
        texts = [each.text for each in known if each.text is not None]
        results = iter(self.worked(posed, asked, texts) if texts else ())
        claims = []
        for each in known:
            found = each if each.text is None else next(results)
            if (len(found.values), len(found.tied)) == (len(posed.instances), len(posed.tied)):
                claims.append(Claimed(clean(each.sentence), found.values, found.tied))
        return claims


_LAST_RESORTS = ("partly", "unexplained")
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


def _right(answered: Answered, remark: Diagnosis | None) -> Answered:
    message = "right" if remark is None else remark.message
    return replace(answered, verdict=Verdict.CORRECT, message=message, diagnosis=remark)


def _not_finite(values: Array, asked: str, first_index: int) -> str:
    """Where the first NaN or infinity stands."""
    index = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
    kind = "NaN" if np.isnan(values[index]) else "infinity"
    place = f"[{', '.join(str(i + first_index) for i in index)}]" if index else ""
    return f"{asked}{place} is {kind}"


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
