"""An answer evaluated again with something changed, all changes in one request."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from quizzer.checker.answer import Evaluated
from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance, Value, shape
from quizzer.checker.remote import RemoteChecker
from quizzer.judge.acceptance import is_near
from quizzer.judge.case import Case, evaluate
from quizzer.judge.evidence import Claimed

_MOST_EXCHANGES = 6
_APART = 1e-9
"""A change that only comparisons notice: `[x > y]` means nothing where x is y itself."""


Probed = tuple[tuple[Claimed, ...], tuple[Array, ...]]
"""An answer with an input in an output's place, and the other way round; and the answer with all
upstreams doubled. Nothing where it cannot be evaluated, and no exchange that only makes a
comparison meaningless."""
Probe = Callable[[RemoteChecker, Case, str, str | None], Probed]


def probed(checker: RemoteChecker, case: Case, text: str, notation: str | None) -> Probed:
    """An answer, changed in each of these ways."""
    pairs, instances = _changed(case)
    (evaluated,) = evaluate(checker, case, [text], notation, instances)
    return _by_change(case, pairs, evaluated) if evaluated.invalid is None else ((), ())


def probed_together(
    checker: RemoteChecker, case: Case, texts: Sequence[str], notation: str | None
) -> list[Probed | None]:
    """The same of formulas by several writers; None of a text that must be probed alone."""
    pairs, instances = _changed(case)
    found = evaluate(checker, case, texts, notation, instances, together=True)
    return [_by_change(case, pairs, each) if each.is_whole else None for each in found]


def _changed(case: Case) -> tuple[list[tuple[str, str]], list[Instance]]:
    """What is exchanged, and the instances with all changes, one change after another."""
    posed = case.posed
    pairs = _exchangeable(case)
    changed = [
        [
            replace(each, **_with(each, used, np.asarray(each.names[meant]) * factor))
            for each in posed.instances
        ]
        for used, meant in pairs
        for factor in (1.0, 1.0 + _APART, 1.0 - _APART)
    ]
    doubled = [
        replace(each, upstreams={name: 2 * value for name, value in each.upstreams.items()})
        for each in posed.instances
    ]
    return pairs, [each for group in [*changed, doubled] for each in group]


def _by_change(case: Case, pairs: Sequence[tuple[str, str]], evaluated: Evaluated) -> Probed:
    groups = _in_groups(evaluated.values, len(case.posed.instances))
    exchanged = tuple(
        Claimed(f"You used {used} where {meant} belongs.", values)
        for (used, meant), values, *apart in zip(
            pairs, groups[::3], groups[1::3], groups[2::3], strict=False
        )
        if all(all(map(is_near, values, moved)) for moved in apart)
    )
    return exchanged, groups[-1]


def _in_groups(values: Sequence[Array], size: int) -> list[tuple[Array, ...]]:
    return [tuple(values[start : start + size]) for start in range(0, len(values), size)]


def _exchangeable(case: Case) -> list[tuple[str, str]]:
    """Pairs of an input and an output, in both orders, that have one shape on every instance."""
    pairs = []
    for variable in case.sheet.variables:
        for output in case.sheet.outputs:
            if output != case.asked and all(
                shape(each.inputs[variable]) == each.outputs[output].shape
                for each in case.posed.instances
            ):
                pairs += [(variable, output), (output, variable)]
    return pairs[:_MOST_EXCHANGES]


def _with(instance: Instance, name: str, value: Value) -> dict[str, Any]:
    """The changed group of an instance in which `name` has this value."""
    if name in instance.inputs:
        return {"inputs": instance.inputs | {name: value}}
    return {"outputs": instance.outputs | {name: np.asarray(value)}}
