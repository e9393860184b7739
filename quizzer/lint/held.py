"""What the equations of a card say about names of its checker, and the cases to judge them on."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from quizzer.checker.answer import Evaluated
from quizzer.checker.instance import Truth, shape
from quizzer.checker.left_sides import Symbols
from quizzer.checker.posed import Posed
from quizzer.checker.remote import RemoteChecker
from quizzer.judge.case import Case, Job, evaluate_own
from quizzer.notation.values import Context

FEW = 4
"""Instances on which an equation is compared."""


def symbols_of(posed: Posed) -> Symbols:
    """What the left sides of a card's equations mean to its checker."""
    first, sheet = posed.instances[0], posed.sheet
    usable = first.names | sheet.sizes_of(first)
    shapes = {name: shape(each) for name, each in usable.items() if not isinstance(each, str)}
    contexts = {
        asked: Context(
            shapes={name: each for name, each in shapes.items() if name != asked},
            asked=asked,
            asked_shape=first.truths[asked].value.shape,
            symbols=sheet.symbols,
            upstreams=tuple(first.upstreams),
            others=tuple(name for name in sheet.asked if name != asked),
            first_index=sheet.first_index,
        )
        for asked in sheet.asked
    }
    return Symbols(contexts, first.outputs.keys() | first.intermediates.keys())


def case_of(posed: Posed, name: str) -> Case:
    """The case as if a named value were asked, on the first few instances."""
    instances = []
    for each in posed.instances[:FEW]:
        value = np.asarray(each.names[name], float)
        instances.append(replace(each, truths={name: Truth(value, np.zeros_like(value))}))
    sheet = replace(posed.sheet, asked={name: ""}, right={})
    return Case(replace(few(posed), sheet=sheet, instances=tuple(instances)), name)


def own_answers(checker: RemoteChecker, cases: Sequence[Case]) -> list[tuple[Evaluated, ...]]:
    """What every `right` of each case gives."""
    jobs = [Job(case, case.sheet.right.get(case.asked, ())) for case in cases]
    return evaluate_own(checker, jobs)


def few(posed: Posed) -> Posed:
    """The first few instances, without what only answers of learners need."""
    return replace(posed, instances=posed.instances[:FEW], tied=(), further=())
