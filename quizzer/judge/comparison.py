"""What answers to one asked name are compared with when they are not simply right."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quizzer.checker import stages
from quizzer.checker.answer import Worked
from quizzer.checker.derivative import Array
from quizzer.checker.explain import Explain, Known, Material
from quizzer.checker.problem import Posed
from quizzer.checker.soundness import material_is_sound
from quizzer.checker.trial import CheckerBroken, Trial
from quizzer.judge.case import worked_out
from quizzer.judge.evidence import Claimed
from quizzer.text import clean

_SHARE_FOR_DERIVATIVES = 0.4


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


def _material(trial: Trial, posed: Posed, asked: str) -> Material:
    others = (
        *(each.instance for each in posed.tied),
        *(each.instance for each in posed.further),
    )
    seconds = _SHARE_FOR_DERIVATIVES * trial.seconds
    request = Explain(trial.source, asked, posed.instances, others, seconds)
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
        elif isinstance(found, Worked):
            yield Claimed(clean(each.sentence), found.values, found.tied, found.further)
        elif (len(found.values), len(found.others)) == (
            len(posed.instances),
            len(posed.tied) + len(posed.further),
        ):
            ties = len(posed.tied)
            tied, further = found.others[:ties], found.others[ties:]
            yield Claimed(clean(each.sentence), found.values, tied, further)
        elif what == "variants" and len(found.values) == len(posed.instances):
            yield Claimed(clean(each.sentence), found.values)
