"""Instances with values that a checker does not sample, where functions may differ that agree on
its samples.

Runs only inside a sandboxed process, for it executes the checker's code.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.derivative import Uncertified
from quizzer.checker.instance import Instance, Value, is_variable, work_out
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.opening import opened
from quizzer.checker.source import Source

_SPREAD = 0.4

Range = tuple[float, float]


class Vary(Struct, frozen=True):
    """The request for these instances with their variables changed."""

    source: Source
    seed: int
    instances: tuple[Instance, ...]
    symmetric: tuple[str, ...] = ()


class Varied(Struct, frozen=True):
    """As many instances as could be worked out; their truths are those before, for the shapes."""

    instances: tuple[Instance, ...]


def vary(request: Vary) -> Varied:
    """Every entry of every variable times a number of its own, which keeps zeros and signs.

    None leaves the range in which the instances have the variable: what is drawn from 1 to 9 need
    not mean anything at 12.
    """
    return varied(opened(request.source), request)


def varied(checker: Checker, request: Vary) -> Varied:
    """The same of a checker that was opened."""
    rng = np.random.default_rng(request.seed)
    ranges = _ranges(request.instances)
    found = []
    for instance in request.instances:
        other = _varied(checker, instance, ranges, request.symmetric, rng)
        if other is not None:
            found.append(other)
    return Varied(tuple(found))


def _ranges(instances: Sequence[Instance]) -> dict[str, Range]:
    """The least and the greatest entry of each variable; no bounds where they are one number."""
    found = {}
    for name in instances[0].variables if instances else ():
        entries = np.concatenate([np.ravel(each.inputs[name]) for each in instances])
        low, high = entries.min(initial=np.inf), entries.max(initial=-np.inf)
        found[name] = (low, high) if low < high else (-np.inf, np.inf)
    return found


def _varied(
    checker: Checker,
    instance: Instance,
    ranges: Mapping[str, Range],
    symmetric: tuple[str, ...],
    rng: "np.random.Generator",
) -> Instance | None:
    inputs = dict(instance.inputs)
    for name, value in inputs.items():
        if is_variable(value):
            inputs[name] = _scaled(value, ranges[name], name in symmetric, rng)
    try:
        return replace(work_out(checker, inputs, rng), truths=instance.truths)
    except (CheckerError, Uncertified):
        return None


def _scaled(value: Value, within: Range, symmetric: bool, rng: "np.random.Generator") -> Value:
    array = np.asarray(value, float)
    factors = rng.uniform(1 - _SPREAD, 1 + _SPREAD, array.shape)
    if symmetric:
        factors = (factors + np.swapaxes(factors, -1, -2)) / 2
    scaled, (low, high) = array * factors, within
    return np.where((low <= scaled) & (scaled <= high), scaled, array)
