"""Minimise a smooth function of a few variables within bounds: L-BFGS on those that are free.

Two-loop recursion after Nocedal and Wright, Numerical Optimization, algorithm 7.4. A variable at a
bound that the gradient pushes outward stays there; a step that leaves the box is cut back to it.
"""

from collections import deque
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from quizzer.fsrs.histories import Bools, Floats

Function = Callable[[Floats], tuple[float, Floats]]
"""The value and the gradient at a point."""

MEMORY = 10
_ENOUGH = 1e-4
_SHORTEST = 1e-8


class Minimum(Struct, frozen=True):
    point: Floats
    value: float
    gain: float
    """By how much the value at the start was greater."""
    evaluations: int


class _Place(Struct, frozen=True):
    point: Floats
    value: float
    gradient: Floats


def minimise(
    function: Function,
    start: Floats,
    lower: Floats,
    upper: Floats,
    *,
    curvature: Floats | None = None,
    iterations: int = 100,
    tolerance: float = 1e-6,
) -> Minimum:
    """Go down from `start` until two steps gain less than `tolerance` of the value.

    `curvature`, (n, n) and positive definite, is what is known of the second derivatives; the
    better it is, the fewer steps. Without it, a change by 1 should mean about as much in each.
    """
    known = np.eye(len(start)) if curvature is None else curvature
    here = begin = _at(function, np.clip(start, lower, upper))
    pairs: deque[tuple[Floats, Floats]] = deque(maxlen=MEMORY)
    evaluations, idle = 1, 0
    for _ in range(iterations):
        free = _free(here, lower, upper)
        if not here.gradient[free].any():
            break
        direction = _direction(here.gradient, free, pairs, known)
        there, tried = _search(function, here, direction, lower, upper)
        evaluations += tried
        if there is None:
            if not pairs:
                break
            pairs.clear()
            continue
        moved, turned = there.point - here.point, there.gradient - here.gradient
        if moved @ turned > 1e-10 * (turned @ turned):
            pairs.append((moved, turned))
        idle = idle + 1 if here.value - there.value < tolerance * abs(here.value) else 0
        here = there
        if idle == 2:
            break
    return Minimum(here.point, here.value, begin.value - here.value, evaluations)


def _at(function: Function, point: Floats) -> _Place:
    return _Place(point, *function(point))


def _free(here: _Place, lower: Floats, upper: Floats) -> Bools:
    """The variables that are not held by a bound."""
    held = (here.point <= lower) & (here.gradient > 0)
    held |= (here.point >= upper) & (here.gradient < 0)
    free: Bools = ~held
    return free


def _direction(
    gradient: Floats, free: Bools, pairs: deque[tuple[Floats, Floats]], known: Floats
) -> Floats:
    """Downhill, by the curvature that is known and that the last steps met."""
    left = np.where(free, gradient, 0)
    shares = []
    for moved, turned in reversed(pairs):
        share = (moved @ left) / (moved @ turned)
        left = left - share * turned
        shares.append(share)
    left = _solved(known, left, free)
    if pairs:
        moved, turned = pairs[-1]
        left = left * ((moved @ turned) / (turned @ _solved(known, turned, free)))
    for (moved, turned), share in zip(pairs, reversed(shares), strict=True):
        left = left + moved * (share - (turned @ left) / (moved @ turned))
    direction = np.where(free, -left, 0)
    if direction @ gradient >= 0:
        pairs.clear()
        return -_solved(known, gradient, free)
    return direction


def _solved(known: Floats, gradient: Floats, free: Bools) -> Floats:
    """The step by which the gradient of a parabola so curved would vanish in what is free."""
    step = np.zeros_like(gradient)
    step[free] = np.linalg.solve(known[np.ix_(free, free)], gradient[free])
    return step


def _search(
    function: Function, here: _Place, direction: Floats, lower: Floats, upper: Floats
) -> tuple[_Place | None, int]:
    """The first of ever shorter steps that gains enough, and how many were tried."""
    length, tried = 1.0, 0
    while length > _SHORTEST:
        point = np.clip(here.point + length * direction, lower, upper)
        promised = float(here.gradient @ (point - here.point))
        tried += 1
        there = _at(function, point)
        if np.isfinite(there.value) and there.value <= here.value + _ENOUGH * promised:
            return there, tried
        # The minimum of the parabola through both values, within reason.
        rise = there.value - here.value - promised
        best = -promised / (2 * rise) if np.isfinite(rise) and rise > 0 else 0.1
        length *= min(max(best, 0.1), 0.5)
    return None, tried
