"""Numerical derivatives that certify themselves, or say why they cannot.

The central difference is taken of the vector output and contracted afterwards, so that rounding in
one output does not drown another. A derivative is certified when left and right slopes meet, when
two steps agree, and when rounding lies far enough below. The complex step (Squire and
Trapp, SIAM Review 40, 1998) replaces the central difference only where the two agree: alone it is
silently wrong with `abs`, `norm` and the like.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Flat = Callable[[NDArray[np.generic]], NDArray[np.generic]]
"""A forward as a function of one array: all its outputs, flattened one behind the other."""

AGREEMENT = 1e-7
"""How far the quotients of two steps may differ, relative to the largest entry."""

_STEPS = (1e-5, 1e-6, 1e-4)  # relative to the size of the input; the first that certifies is taken
_SHORTER = 0.4371  # no simple ratio: half a step would meet the same rounding in float32 again
_ROUNDING = 2.3e-16


class Uncertified(Exception):
    """This derivative cannot be trusted here; another instance may do."""


@dataclass(frozen=True, slots=True)
class Slopes:
    """Difference quotients of all outputs (rows) toward all entries of one input (columns)."""

    coarse: Array
    fine: Array
    coarse_jump: Array
    """Right slope minus left slope, as magnitudes; shrinks with the step where f is smooth."""
    fine_jump: Array
    rounding: Array
    """What rounding alone may contribute to each output's quotients."""


def certified(flat: Flat, x: Array, weightings: list[Array]) -> list[tuple[Array, float]]:
    """For each matrix of weights: `weights @ Jacobian` and a bound on the error of its entries.

    Raises Uncertified with the reason for the step that came closest.
    """
    problem = Uncertified("no step was tried")
    scale = float(np.clip(np.sqrt(np.mean(np.square(x))), 1e-3, 1e3))
    for step in _STEPS:
        slopes = _slopes(flat, x, step * scale)
        try:
            central = [_certify(slopes, weights) for weights in weightings]
        except Uncertified as error:
            problem = problem if step != _STEPS[0] else error
            continue
        return _refined(flat, x, weightings, central)
    raise problem


def jacobian(flat: Flat, x: Array) -> Array:
    """The uncertified Jacobian, outputs by inputs: good enough to name a mistake by."""
    step = 1e-5 * float(np.clip(np.sqrt(np.mean(np.square(x))), 1e-3, 1e3))
    columns = []
    for index in range(x.size):
        ahead, behind, width = _pair(flat, x, index, step)
        columns.append((ahead - behind) / width)
    exact = _complex_jacobian(flat, x)
    central = np.stack(columns, axis=-1)
    if exact is not None and np.allclose(exact, central, rtol=1e-5, atol=1e-7):
        return exact
    return central


def _slopes(flat: Flat, x: Array, step: float) -> Slopes:
    here = flat(x).astype(float)
    rows = []
    for index in range(x.size):
        ahead, behind, width = _pair(flat, x, index, step)
        near_ahead, near_behind, near_width = _pair(flat, x, index, step * _SHORTER)
        rows.append(
            (
                (ahead - behind) / width,
                (near_ahead - near_behind) / near_width,
                np.abs((ahead - here) - (here - behind)) / step,
                np.abs((near_ahead - here) - (here - near_behind)) / (step * _SHORTER),
            )
        )
    coarse, fine, coarse_jump, fine_jump = (
        np.stack([row[k] for row in rows], axis=-1) for k in range(4)
    )
    return Slopes(coarse, fine, coarse_jump, fine_jump, _ROUNDING * np.abs(here) / step)


def _pair(flat: Flat, x: Array, index: int, step: float) -> tuple[Array, Array, float]:
    """The outputs a step ahead and a step behind, and the distance between them as stored."""
    ahead, behind = x.copy(), x.copy()
    ahead.reshape(-1)[index] += step
    behind.reshape(-1)[index] -= step
    width = float(ahead.reshape(-1)[index] - behind.reshape(-1)[index])
    return flat(ahead).astype(float), flat(behind).astype(float), width


def _certify(slopes: Slopes, weights: Array) -> tuple[Array, float]:
    value = weights @ slopes.fine
    if not np.isfinite(value).all():
        raise Uncertified("the derivative is not finite")
    scale = float(np.max(np.abs(value), initial=0.0))
    if scale == 0:
        raise Uncertified("the derivative is zero in every entry")
    magnitudes = np.abs(weights)
    rounding = float(np.max(magnitudes * slopes.rounding, initial=0.0))
    if rounding > 100 * AGREEMENT * scale:
        raise Uncertified("the forward is so large that rounding hides its derivative")
    jump, near_jump = magnitudes @ slopes.coarse_jump, magnitudes @ slopes.fine_jump
    kinked = (near_jump > 0.75 * jump) & (near_jump > 1e-6 * scale + 100 * rounding)
    if kinked.any() or max(jump.max(), near_jump.max()) > 1e-2 * scale:
        raise Uncertified("left and right slope differ: the forward has a kink or a jump here")
    error = float(np.max(np.abs(weights @ slopes.coarse - value)))
    if error > AGREEMENT * scale:
        raise Uncertified(
            "two step sizes disagree: the forward is not smooth here, or rounds (float32?)"
        )
    return value, max(error, 1e-9 * scale)


def _refined(
    flat: Flat, x: Array, weightings: list[Array], central: list[tuple[Array, float]]
) -> list[tuple[Array, float]]:
    exact = _complex_jacobian(flat, x)
    if exact is None:
        return central
    refined = []
    for weights, (value, error) in zip(weightings, central, strict=True):
        better = weights @ exact
        scale = float(np.max(np.abs(value)))
        if np.max(np.abs(better - value)) <= max(10 * AGREEMENT * scale, 10 * error):
            refined.append((better, 1e-13 * scale))
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
