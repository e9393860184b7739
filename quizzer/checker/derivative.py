"""Numerical derivatives that certify themselves, or say why they cannot.

The central difference is taken of the vector output and contracted afterwards, so that rounding in
one output does not drown another. A derivative is certified when left and right slopes meet, when
two steps agree, and when rounding lies far enough below; a derivative of zero, when all that
differs is rounding. Every entry has an error of its own. The complex step (Squire and
Trapp, SIAM Review 40, 1998) replaces the central difference only where the two agree: alone it is
silently wrong with `abs`, `norm` and the like.
"""

import warnings
from collections.abc import Callable
from contextlib import suppress
from math import isfinite

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Array = NDArray[np.float64]
Values = NDArray[np.generic]
Flat = Callable[[Values], Values]
"""A forward as a function of one array: all its outputs, flattened one behind the other."""

AGREEMENT = 1e-7
"""How far the quotients of two steps may differ, relative to the largest entry."""

_STEPS = (1e-5, 1e-6, 1e-4)  # relative to the size of the input; the first that certifies is taken
_SHORTER = 0.4371  # no simple ratio: half a step would meet the same rounding in float32 again
_ROUNDING = 2.3e-16
_FAR = 0.1  # relative to the size of the input; an output that does not move then is independent
_FLOOR = 1e-12  # error of a derivative of zero, per unit of weight: what rounding leaves of an
# answer whose terms cancel
_FLOOR_BY_SIZE = 1e-13  # the same per unit of the outputs over the input
_UNSEEN = 2.3e-9  # the same where only differences show it: what rounding within the forward, of
# values as large as the input, may have hidden
_HIDDEN = 1e-8  # rounding per unit of weight above which nothing can be called zero


class Uncertified(Exception):
    """This derivative cannot be trusted here; another instance may do."""


class Quotients(Struct, frozen=True):
    """Difference quotients of all outputs (rows) toward all entries of one input (columns)."""

    coarse: Array
    fine: Array
    coarse_jump: Array
    """Right slope minus left slope, as magnitudes; shrinks with the step where f is smooth."""
    fine_jump: Array
    rounding: Array
    """What rounding alone may contribute to each quotient."""


class Slopes(Struct, frozen=True):
    """The Jacobian by a central difference and, if it can be, by the complex step."""

    central: Array
    exact: Array | None


Keep = Callable[[Slopes], None]


def certified(
    flat: Flat, x: Array, weightings: list[Array], keep: Keep | None = None
) -> list[tuple[Array, Array]]:
    """For each matrix of weights: `weights @ Jacobian` and a bound on the error of each entry.

    `keep` gets what it takes to know the `jacobian`, if that was worked out. Raises Uncertified
    with the reason for the step that came closest.
    """
    scale, *others = scales(x)
    try:
        return _certified_at(scale, flat, x, weightings, keep)
    except Uncertified as problem:
        for other in others:
            with suppress(Uncertified):
                return _certified_at(other, flat, x, weightings)
        raise problem


def scales(x: Array) -> list[float]:
    """What steps away from an input are relative to: its size, but within bounds, as an output may
    move on another scale than an input near zero; and, where that fails, its size beyond them."""
    size = float(np.sqrt(np.vdot(x, x) / x.size))
    bounded = min(max(size, 1e-3), 1e3)
    return [bounded, size] if size not in (0.0, bounded) and isfinite(size) else [bounded]


def _certified_at(
    scale: float, flat: Flat, x: Array, weightings: list[Array], keep: Keep | None = None
) -> list[tuple[Array, Array]]:
    problem = Uncertified("no step was tried")
    here = flat(x).astype(float)
    flat = _where_defined(flat)
    floors = [_floor(weights, np.abs(here) / scale) for weights in weightings]
    for step in _STEPS:
        slopes = _slopes(flat, x, here, step * scale, _FAR * scale)
        try:
            central = [_certify(slopes, *each) for each in zip(weightings, floors, strict=True)]
        except Uncertified as error:
            problem = problem if step != _STEPS[0] else error
            continue
        exact = _complex_jacobian(flat, x)
        if keep and step == _STEPS[0]:
            keep(Slopes(slopes.coarse, exact))
        return _refined(exact, weightings, floors, central)
    raise problem


def _where_defined(flat: Flat) -> Flat:
    """The forward, for steps away from an input on which it ran: raises Uncertified where it fails.

    An input at the edge of the forward's domain is no fault of the forward.
    """

    def run(x: Values) -> Values:
        try:
            return flat(x)
        except Exception as error:
            raise Uncertified(f"a small step away from a sampled input, {error}") from error

    return run


def _floor(weights: Array, sizes: Array) -> float:
    """What rounding may leave of an answer whose terms cancel, where outputs have these sizes."""
    magnitudes = np.abs(weights)
    by_size = float(np.max(magnitudes @ sizes, initial=0.0))
    return _FLOOR * float(np.max(magnitudes, initial=0.0)) + _FLOOR_BY_SIZE * by_size


def jacobian(flat: Flat, x: Array, known: Slopes | None = None) -> Array:
    """The uncertified Jacobian, outputs by inputs: good enough to name a mistake by."""
    if known is None:
        ahead, behind, width = _both(flat, x, _STEPS[0] * scales(x)[0])
        known = Slopes((ahead - behind) / width, _complex_jacobian(flat, x))
    exact, central = known.exact, known.central
    if exact is not None and np.allclose(exact, central, rtol=1e-5, atol=1e-7):
        return exact
    return central


def _slopes(flat: Flat, x: Array, here: Array, step: float, far: float) -> Quotients:
    ahead, behind, width = _both(flat, x, step)
    near_ahead, near_behind, near_width = _both(flat, x, step * _SHORTER)
    at = here[:, np.newaxis]
    still = (ahead == at) & (behind == at) & (near_ahead == at) & (near_behind == at)
    for index in map(int, np.flatnonzero(still.any(axis=0))):
        # independent of this entry, or so large that it swallows the step
        still[:, index] &= _moved(flat, x, index, far) == here
    return Quotients(
        (ahead - behind) / width,
        (near_ahead - near_behind) / near_width,
        np.abs((ahead - at) - (at - behind)) / step,
        np.abs((near_ahead - at) - (at - near_behind)) / (step * _SHORTER),
        np.where(still, 0.0, _ROUNDING * np.abs(at) / step),
    )


def _both(flat: Flat, x: Array, step: float) -> tuple[Array, Array, Array]:
    """The outputs (rows) a step ahead and a step behind in each entry of the input (columns), and
    the distances between the two as stored."""
    outputs: tuple[list[Array], list[Array]] = [], []
    ends = np.empty((2, x.size))
    for index in range(x.size):
        for way, found, end in zip((step, -step), outputs, ends, strict=True):
            moved = x.copy()
            entries = moved.reshape(-1)
            entries[index] += way
            end[index] = entries[index]
            found.append(flat(moved).astype(float))
    ahead, behind = (np.stack(found, axis=-1) for found in outputs)
    return ahead, behind, ends[0] - ends[1]


def _moved(flat: Flat, x: Array, index: int, step: float) -> Array:
    """The outputs far ahead; NaN where that is outside the forward's domain."""
    ahead = x.copy()
    ahead.reshape(-1)[index] += step
    try:
        return flat(ahead).astype(float)
    except Uncertified:
        return np.full(flat(x).shape, np.nan)


def _certify(slopes: Quotients, weights: Array, floor: float) -> tuple[Array, Array]:
    value, coarse = weights @ slopes.fine, weights @ slopes.coarse
    if not (np.isfinite(value).all() and np.isfinite(coarse).all()):
        raise Uncertified("the derivative is not finite")
    scale = float(np.max(np.abs(value), initial=0.0))
    magnitudes = np.abs(weights)
    rounding = magnitudes @ slopes.rounding
    noise = float(np.max(rounding, initial=0.0))
    jump, near_jump = magnitudes @ slopes.coarse_jump, magnitudes @ slopes.fine_jump
    unit = float(np.max(magnitudes, initial=0.0))
    is_zero = scale <= 100 * noise and noise <= _HIDDEN * unit
    if noise > 100 * AGREEMENT * scale and not is_zero:
        raise Uncertified("the forward is so large that rounding hides its derivative")
    scale = max(scale, unit) if is_zero else scale
    kinked = (near_jump > 0.75 * jump) & (near_jump > 1e-6 * scale + 100 * noise)
    if kinked.any() or max(jump.max(), near_jump.max()) > 1e-2 * scale:
        raise Uncertified("left and right slope differ: the forward has a kink or a jump here")
    error = np.abs(coarse - value)
    if is_zero and np.max(error) <= AGREEMENT * scale:
        return np.zeros_like(value), np.full_like(value, 100 * noise + _UNSEEN * unit + floor)
    if np.max(error) > AGREEMENT * scale:
        raise Uncertified(
            "two step sizes disagree: the forward is not smooth here, or rounds (float32?)"
        )
    # Where two steps agree by chance, the jumps, which shrink as the step does, show the rounding.
    uneven = magnitudes @ np.abs(slopes.fine_jump - _SHORTER * slopes.coarse_jump)
    seen = np.maximum(3 * error, 10 * np.maximum(uneven, rounding))
    return value, np.maximum(seen, 1e-9 * scale)


def _refined(
    exact: Array | None,
    weightings: list[Array],
    floors: list[float],
    central: list[tuple[Array, Array]],
) -> list[tuple[Array, Array]]:
    """The complex step's values where they agree with the central ones in every entry."""
    if exact is None:
        return central
    refined = []
    for weights, floor, (value, error) in zip(weightings, floors, central, strict=True):
        better = weights @ exact
        scale = np.max(np.abs(better), initial=0.0)
        if (np.abs(better - value) <= 10 * error).all():
            least = 0.0 if value.any() else floor
            refined.append((better, np.full_like(error, 1e-13 * scale + least)))
        else:
            refined.append((value, error))
    return refined


def _complex_jacobian(flat: Flat, x: Array) -> Array | None:
    columns = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for index in range(x.size):
            shifted = x.astype(complex)
            shifted.reshape(-1)[index] += 1e-30j
            try:
                outputs = flat(shifted)
            except Exception:
                return None
            if outputs.dtype.kind != "c" or not np.isfinite(outputs.imag).all():
                return None
            columns.append(outputs.imag / 1e-30)
    return np.stack(columns, axis=-1)
