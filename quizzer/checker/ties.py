"""Ties: where the forward has a kink, every element of its generalised gradient is right.

On the problem side, instances at which values coincide are drawn and, for many directions, the
interval is worked out in which the answer's slope must lie: each output contributes what lies
between its one-sided slopes, weighted by what the answer weights it with, and these add up. That is
exact when each output is locally convex or concave (Clarke, Optimization and Nonsmooth Analysis,
1983, section 2.3); where one is neither, the instance is left out. An entry that nothing which ties
depends on is smooth: values only happen to be equal, and the answer must be right there. One on
which something depends may have a slope all the same, where the tied pieces share it.
"""

import math
import time

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from quizzer.checker.bounds import Bounds, TieInstance, is_smooth, misses
from quizzer.checker.branches import generator, observed
from quizzer.checker.derivative import Array, Flat, Uncertified
from quizzer.checker.instance import (
    Instance,
    Value,
    draw_inputs,
    is_symmetric,
    is_variable,
    work_out,
)
from quizzer.checker.jacobians import flat_forward, weights
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.meaning import Kind
from quizzer.checker.sheet import Sheet
from quizzer.checker.truth import closed_forms

_SAMPLES = 24
_LOOKED_AT = 8  # samples in which something ties
_UNTRACED = 3  # samples of a forward in which nothing piecewise can be traced
_ENOUGH = 4
_FIRST_DRAW = 1 << 19  # the same draws for every seed, so that ties are judged alike
_STEP = 1e-6
_KINK = 1e-3  # of the largest slope, or of 1 if that is smaller
_FLATTEST = 1e-5  # slopes that are smaller may be rounding
_SLACK = 1e-4
_RANDOM_DIRECTIONS = 120
_ELSEWHERE = 0.0861  # a step that makes no other values meet


def tie_instances(checker: Checker, sheet: Sheet, end: float = math.inf) -> tuple[TieInstance, ...]:
    """Instances with ties, until this much processor time is spent; none where the forward is
    smooth or `ties` is False."""
    if sheet.ties is False or sheet.decides or checker.forward is None:
        return ()
    found: list[TieInstance] = []
    looked = 0
    for attempt in range(_SAMPLES):
        if looked == _LOOKED_AT or len(found) == _ENOUGH or time.process_time() > end:
            break
        rng = generator(_FIRST_DRAW + attempt)
        meet = _rounded if attempt % 2 == 0 else _repeated
        try:
            inputs = draw_inputs(checker, rng)
            free = [name for name in inputs if _is_free(name, inputs[name], sheet)]
            met = {name: meet(inputs[name], rng) for name in free}
            inputs |= {name: met[name] for name in free if _may_be(checker, name, met[name])}
            _, trace = observed(checker, inputs)
            if trace.seen and not trace.ties():
                continue
            looked += 1
            if not trace.seen and looked > _UNTRACED:
                break
            instance = work_out(checker, inputs, rng)
            bounds = _bounds(checker, sheet, instance, rng)
            closed = closed_forms(checker, instance) if bounds else {}
        except (CheckerError, Uncertified):
            continue
        if bounds and all(_allows(bounds[name], closed.get(name)) for name in bounds):
            found.append(TieInstance(instance, bounds))
    return tuple(found)


def _is_free(name: str, value: Value, sheet: Sheet) -> bool:
    """Whether a variable may take other values: it is no label, not symmetric, and has no fixed sum
    or length."""
    if not is_variable(value) or name in sheet.symmetric:
        return False
    array = np.asarray(value, float)
    if np.array_equal(array, np.round(array)) or is_symmetric(array):
        return False
    return not any(
        np.allclose(np.sum(each, axis), 1.0)
        for each in (array, array * array)
        for axis in range(array.ndim)
    )


def _may_be(checker: Checker, name: str, value: Value) -> bool:
    """Whether an input may have a value, as far as the checker says."""
    return checker.allows is None or checker.allows(name, value)


def _rounded(value: Value, rng: "np.random.Generator") -> Value:
    """In whole numbers, so that entries meet each other and zero; positive ones stay as they are
    but for meeting each other."""
    array = np.asarray(value, float)
    if (array > 0).all() or (array < 0).all():
        return _repeated(value, rng)
    return np.asarray(np.round(array) + 0.0)


def _repeated(value: Value, rng: "np.random.Generator") -> Value:
    """With half of the entries set to one of its own."""
    array = np.array(value, float)
    array[rng.random(array.shape) < 0.5] = rng.choice(array.reshape(-1))
    return array


def _allows(bounds: Bounds, closed: Array | None) -> bool:
    """Whether the author's closed form, if there is one, is right where nothing ties: else the
    changed values break what the card assumes."""
    if closed is None or closed.size != bounds.low.shape[1] * bounds.directions.shape[1]:
        return True
    return not (misses(closed, bounds) & is_smooth(bounds)).any()


def _bounds(
    checker: Checker, sheet: Sheet, instance: Instance, rng: "np.random.Generator"
) -> dict[str, Bounds]:
    bounds = {}
    for variable in instance.variables:
        asked = {
            name: meaning
            for name in sheet.asked
            if (meaning := sheet.meaning(name)).variable == variable
            and meaning.kind in (Kind.MESSAGE, Kind.LOCAL)
        }
        if not asked or variable in sheet.symmetric:
            continue
        x = np.asarray(instance.inputs[variable], float)
        assert checker.forward is not None
        flat = flat_forward(checker.forward, instance.inputs, variable, safe=checker.is_formulas)
        slopes = _one_sided_slopes(flat, x, rng)
        if slopes is None:
            continue
        smooth = _independent(checker, instance, variable)
        for name, meaning in asked.items():
            bounds[name] = _weighted(slopes, weights(meaning, instance), smooth)
    return bounds


def _independent(checker: Checker, instance: Instance, variable: str) -> NDArray[np.bool_]:
    """Of each entry of a variable whether nothing that ties depends on it.

    Where no tie can be traced there may be one anywhere. Where a `need` is not met, an answer that
    relies on it may be anything.
    """
    x = np.asarray(instance.inputs[variable], float)
    _, here = observed(checker, instance.inputs)
    smooth = np.zeros(x.size, bool)
    if not here.ties() or (checker.meets and not checker.meets(instance.inputs)):
        return smooth
    for index in range(x.size):
        moved = x.copy()
        moved.reshape(-1)[index] += _ELSEWHERE
        _, there = observed(checker, instance.inputs | {variable: moved})
        smooth[index] = here.ties_as(there)
    return smooth


class _OneSided(Struct, frozen=True):
    """One-sided slopes of every output (columns) in every direction (rows)."""

    directions: Array
    left: Array
    right: Array


def _one_sided_slopes(flat: Flat, x: Array, rng: "np.random.Generator") -> _OneSided | None:
    """The slopes at a kink, in the directions of all entries first and then in others.

    None where there is no kink, or where an output is not regular.
    """
    axes = np.concatenate([np.eye(x.size), np.ones((1, x.size))])
    first = _slopes(flat, x, axes, _STEP)
    if not (np.isfinite(first.left).all() and np.isfinite(first.right).all()):
        return None
    kink = _KINK * _steepest(first)
    kinked = np.any(np.abs(first.right - first.left) > kink, axis=1)
    tied = np.flatnonzero(kinked[: x.size])
    if not tied.size:
        return None
    wider = _slopes(flat, x, axes, 2 * _STEP)
    for near, far in ((first.left, wider.left), (first.right, wider.right)):
        if not np.allclose(near, far, rtol=_KINK, atol=kink):
            return None
    slopes = _slopes(flat, x, np.concatenate([axes, _directions(tied, x.size, rng)]), _STEP)
    opening = slopes.right - slopes.left
    if not np.isfinite(opening).all():
        return None
    mixed = np.any(opening > kink, axis=0) & np.any(opening < -kink, axis=0)
    return None if np.any(mixed) else slopes


def _steepest(slopes: _OneSided) -> float:
    """The largest slope, at most 1: kinks are relative to it. What is far smaller is rounding."""
    largest = np.maximum(np.abs(slopes.left), np.abs(slopes.right)).max(initial=0.0)
    return float(np.clip(largest, _FLATTEST, 1.0))


def _directions(tied: np.ndarray, size: int, rng: "np.random.Generator") -> Array:
    """Random subsets of the tied entries, and random combinations of them."""
    directions = np.zeros((_RANDOM_DIRECTIONS, size))
    half = _RANDOM_DIRECTIONS // 2
    shares = rng.choice([0.15, 0.3, 0.5, 0.7, 0.85], size=(half, 1))
    directions[:half, tied] = rng.random((half, tied.size)) < shares
    directions[half:, tied] = rng.standard_normal((_RANDOM_DIRECTIONS - half, tied.size))
    return directions


def _slopes(flat: Flat, x: Array, directions: Array, step: float) -> _OneSided:
    here = flat(x).astype(float)
    left, right = [], []
    for direction in directions:
        moved = step * direction.reshape(x.shape)
        right.append((flat(x + moved).astype(float) - here) / step)
        left.append((here - flat(x - moved).astype(float)) / step)
    return _OneSided(directions, np.stack(left), np.stack(right))


def _weighted(slopes: _OneSided, weighting: Array, smooth: NDArray[np.bool_]) -> Bounds:
    low = np.minimum(slopes.left, slopes.right)
    high = np.maximum(slopes.left, slopes.right)
    positive, negative = np.maximum(weighting, 0.0), np.minimum(weighting, 0.0)
    lengths = np.maximum(1.0, np.abs(slopes.directions).sum(axis=1)).max()
    scale = float(
        np.max(np.abs(weighting), initial=0.0) * max(_steepest(slopes), np.abs(high).max())
    )
    return Bounds(
        directions=slopes.directions,
        low=low @ positive.T + high @ negative.T,
        high=high @ positive.T + low @ negative.T,
        slack=_SLACK * scale * float(np.sqrt(lengths)),
        smooth=smooth,
    )
