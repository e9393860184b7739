"""One asked name of a checker on its instances, and answers worked out on them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from quizzer.checker import stages
from quizzer.checker.answer import Given, Work, Worked
from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance
from quizzer.checker.problem import Posed
from quizzer.checker.stages import Failed
from quizzer.checker.trial import CheckerBroken, Trial
from quizzer.judge.remarks import tied_shape
from quizzer.judge.sentences import sentence
from quizzer.text import clean

if TYPE_CHECKING:
    from quizzer.checker.confirming import Further
    from quizzer.judge.comparison import Comparison


_SHARE_FOR_FURTHER = 0.5


@dataclass(frozen=True, slots=True)
class Case:
    """One asked name on its instances; `compare` works out the comparison when it is needed, and
    `confirming` the problems for answers with pieces of their own."""

    trial: Trial
    posed: Posed
    asked: str
    compare: "Callable[[], Comparison]"
    confirming: "Callable[[], tuple[Further, ...]]" = tuple

    def worked(self, text: str, notation: str | None = None) -> Worked:
        """One text on all instances."""
        (worked,) = worked_out(self.trial, self.posed, self.asked, [text], notation)
        return worked


def worked_out(
    trial: Trial,
    posed: Posed,
    asked: str,
    texts: Sequence[str],
    notation: str | None = None,
    instances: Sequence[Instance] | None = None,
) -> tuple[Worked, ...]:
    """The texts on all instances, in a process that never saw the card's code.

    With `instances`, on these in place of the posed ones, and on no others.
    """
    sheet = posed.sheet
    tied = posed.tied if instances is None else ()
    further = posed.further if instances is None else ()
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
        further=tuple(
            Given(
                sheet.answer_names(each.instance, asked), each.contractions[asked].direction.shape
            )
            for each in further
        ),
        patience=_SHARE_FOR_FURTHER * trial.seconds,
        upstreams=tuple(instances[0].upstreams),
        others=tuple(name for name in sheet.asked if name != asked),
        symbols=sheet.symbols,
        first_index=sheet.first_index,
        notation=notation,
        samples=posed.described.samples(),
        sizes=posed.described.sizes(),
    )
    result = stages.run(trial.worker, stages.WORK, request, trial.seconds)
    if isinstance(result, Failed):
        return (Worked(invalid=_why(result), late=result.kind == "timeout"),) * len(texts)
    wanted = [len(instances), len(tied), len(further)]
    if len(result.texts) != len(texts) or any(
        each.invalid is None and [len(each.values), len(each.tied), len(each.further)] != wanted
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
    from quizzer.checker.explain import Accept

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
        further=tuple(None if v is None else np.asarray(v, float) for v in worked.further),
    )
