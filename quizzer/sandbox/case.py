"""One asked name of a checker on its instances: answers worked out, and what they meet."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from quizzer.check.answer import Given, Work, Worked
from quizzer.check.derivative import Array
from quizzer.check.evidence import Claimed
from quizzer.check.explain import Accept, Explain, Known, Material
from quizzer.check.instance import Instance
from quizzer.check.problem import Posed
from quizzer.check.remarks import tied_shape
from quizzer.check.sentences import sentence
from quizzer.sandbox import stages
from quizzer.sandbox.soundness import material_is_sound
from quizzer.sandbox.stages import Failed
from quizzer.sandbox.trial import CheckerBroken, Trial
from quizzer.text import clean


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An author's own answer that gives no arrays: where it stands, its sentence, and why."""

    what: str
    sentence: str
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that answers to one asked name can be compared with, worked out on the instances."""

    wrong: tuple[Claimed, ...]
    also: tuple[Claimed, ...]
    terms: tuple[Claimed, ...]
    variants: tuple[Claimed, ...]
    jacobians: tuple[Array, ...]
    others: tuple[Claimed, ...]
    problems: tuple[str, ...]
    unreadable: tuple[Unreadable, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One asked name on its instances; `compare` works out the comparison when it is needed."""

    trial: Trial
    posed: Posed
    asked: str
    compare: Callable[[], Comparison]

    def worked(self, text: str, notation: str | None = None) -> Worked:
        """One text on all instances."""
        (worked,) = worked_out(self.trial, self.posed, self.asked, [text], notation)
        return worked


def compared(trial: Trial, posed: Posed, asked: str) -> Comparison:
    """What answers to `asked` can be compared with. Raises CheckerBroken."""
    material = _material(trial, posed, asked)
    groups = {
        "wrong": material.wrong,
        "also": material.also,
        "terms": material.terms,
        "variants": material.variants,
    }
    texts = [each.text for group in groups.values() for each in group if each.text is not None]
    results = iter(worked_out(trial, posed, asked, texts) if texts else ())
    unreadable: list[Unreadable] = []
    claims = {
        what: tuple(_claims(posed, what, group, results, unreadable))
        for what, group in groups.items()
    }
    return Comparison(
        **claims,
        jacobians=material.jacobians,
        others=tuple(Claimed(name, values) for name, values in material.others.items()),
        problems=material.problems,
        unreadable=tuple(unreadable),
    )


def worked_out(
    trial: Trial,
    posed: Posed,
    asked: str,
    texts: Sequence[str],
    notation: str | None = None,
    instances: Sequence[Instance] | None = None,
) -> tuple[Worked, ...]:
    """The texts on all instances, in a process that never saw the card's code.

    With `instances`, on these in place of the posed ones, and on no ties.
    """
    sheet = posed.sheet
    tied = posed.tied if instances is None else ()
    instances = posed.instances if instances is None else instances
    request = Work(
        asked=asked,
        texts=tuple(texts),
        instances=tuple(
            Given(sheet.answer_names(each, asked), each.truths[asked].value.shape)
            for each in instances
        ),
        tied=tuple(
            Given(sheet.answer_names(each.instance, asked), tied_shape(each, posed, asked))
            for each in tied
        ),
        upstreams=tuple(instances[0].upstreams),
        others=tuple(name for name in sheet.asked if name != asked),
        symbols=sheet.symbols,
        first_index=sheet.first_index,
        notation=notation,
    )
    result = stages.run(trial.worker, stages.WORK, request, trial.seconds)
    if isinstance(result, Failed):
        return (Worked(invalid=_why(result)),) * len(texts)
    wanted = [len(instances), len(tied)]
    if len(result.texts) != len(texts) or any(
        each.invalid is None and [len(each.values), len(each.tied)] != wanted
        for each in result.texts
    ):
        return (Worked(invalid="The process ended without a result."),) * len(texts)
    return tuple(map(_cleaned, result.texts))


def opinion_on(
    trial: Trial, posed: Posed, asked: str, values: tuple[Array, ...]
) -> Literal[True] | str | None:
    """What the checker's `accept` says, a sentence being a refusal; None: it has no opinion."""
    if not posed.sheet.decides:
        return None
    request = Accept(trial.source, asked, posed.instances, values)
    try:
        opinions = trial.deck_stage(stages.ACCEPT, request).opinions
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
    return sentences[0] if sentences else "This is not one of the right answers."


def _material(trial: Trial, posed: Posed, asked: str) -> Material:
    tied = tuple(each.instance for each in posed.tied)
    request = Explain(trial.source, asked, posed.instances, tied)
    material = trial.deck_stage(stages.EXPLAIN, request)
    if not material_is_sound(material, posed, asked):
        raise CheckerBroken(f"{clean(trial.name)}: The process gave no sound values.")
    return material


def _claims(
    posed: Posed,
    what: str,
    group: Iterable[Known],
    results: Iterator[Worked],
    unreadable: list[Unreadable],
) -> Iterator[Claimed]:
    """The author's answers with their values; those that give none are noted and left out."""
    for each in group:
        found = each if each.text is None else next(results)
        if isinstance(found, Worked) and found.invalid is not None:
            unreadable.append(Unreadable(what, clean(each.sentence), found.invalid))
        elif (len(found.values), len(found.tied)) == (len(posed.instances), len(posed.tied)):
            yield Claimed(clean(each.sentence), found.values, found.tied)
        elif what == "variants" and len(found.values) == len(posed.instances):
            yield Claimed(clean(each.sentence), found.values)


def _why(failed: Failed) -> str:
    if failed.kind == "timeout":
        return f"{sentence(failed.message)} Is there a loop without an end?"
    return sentence(failed.message)


def _cleaned(worked: Worked) -> Worked:
    worked = replace(worked, understood=worked.understood and clean(worked.understood))
    if worked.invalid is not None:
        return replace(worked, invalid=clean(worked.invalid))
    return replace(
        worked,
        values=tuple(np.asarray(values, float) for values in worked.values),
        tied=tuple(None if v is None else np.asarray(v, float) for v in worked.tied),
    )
