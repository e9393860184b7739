"""The slope of a forward along one line, certified in a few runs.

Two ways that fail in different places must agree: the complex step and a central difference; or two
central differences, where left and right slope meet. Elsewhere it is certified as any derivative.
"""

import warnings
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from quizzer.checker.derivative import (
    AGREEMENT,
    Array,
    Flat,
    Uncertified,
    Values,
    certified,
    scales,
)

_STEP, _SHORTER = 1e-5, 0.4371e-5  # relative to the size of the input; no simple ratio, see there
_TINY = 1e-30
_MEETING = 1e-4  # how far left and right slope may be apart, relative to the slope
_JUMP = 1e-7  # how much of that may be a kink at the point itself, which no step shrinks
_ROUNDING = 2.3e-16

_Line = Callable[[float | complex], Values]
"""All outputs so far along a line."""
_Found = tuple[tuple[float, float], ...]


class Slopes(Struct, frozen=True):
    """The slopes of weighted sums of outputs along `direction`, each with its error."""

    direction: Array
    found: _Found


def slopes_along(
    flat: Flat,
    x: Array,
    here: Array,
    direction: Array,
    weightings: list[Array],
    is_real: bool = False,
) -> Slopes:
    """The slopes from `x`, where the outputs are `here`, along a multiple of the direction on which
    they can be certified. Raises Uncertified where there is none.

    What `is_real` takes no complex numbers, so no complex step is tried.
    """
    problem = Uncertified("no scale was tried")
    for scale in scales(x):
        along = scale * direction
        line = _line(flat, x, along)
        try:
            found = _quickly(line, here, weightings, is_real) or _slowly(line, weightings)
        except Uncertified as error:
            problem = error
        else:
            return Slopes(along, found)
    raise problem


def _line(flat: Flat, x: Array, along: Array) -> _Line:
    return lambda t: flat(x + t * along)


def _slowly(line: _Line, weightings: list[Array]) -> _Found:
    rows = [weights[np.newaxis] for weights in weightings]
    found = certified(lambda t: line(t[0] - 1.0), np.ones(1), rows)
    return tuple((float(value[0, 0]), float(error[0, 0])) for value, error in found)


def _quickly(line: _Line, here: Array, weightings: list[Array], is_real: bool) -> _Found | None:
    """The slopes where two ways agree on each and none is zero; else None."""
    exact = None if is_real else _complex_step(line)
    try:
        ahead, behind = _real(line, _STEP), _real(line, -_STEP)
        central = (ahead - behind) / (2 * _STEP)
        if exact is not None and (found := _agreed(exact, central, weightings)):
            return found
        near_ahead, near_behind = _real(line, _SHORTER), _real(line, -_SHORTER)
        shorter = (near_ahead - near_behind) / (2 * _SHORTER)
    except Exception:  # outside of the forward's domain
        return None
    apart = (ahead - 2 * here + behind) / _STEP
    near_apart = (near_ahead - 2 * here + near_behind) / _SHORTER
    noise = 10 * _ROUNDING / _STEP * np.abs(here)
    found = _agreed(shorter, central, weightings, noise)
    if found is None:
        return None
    for weights, (value, error) in zip(np.abs(weightings), found, strict=True):
        jump = np.abs(near_apart - _SHORTER / _STEP * apart)
        if float(weights @ np.abs(apart)) > _MEETING * abs(value):
            return None
        if float(weights @ jump) > _JUMP * abs(value) + error:
            return None
    return found


def _agreed(
    better: Array, central: Array, weightings: list[Array], noise: Array | float = 0.0
) -> _Found | None:
    """The slopes of all outputs weighted, where they agree in each sum."""
    found = []
    for weights in weightings:
        value = float(weights @ better)
        error = 3 * abs(float(weights @ central) - value) + float((np.abs(weights) * noise).sum())
        if not 0 < abs(value) < np.inf or not error <= AGREEMENT * abs(value):
            return None
        found.append((value, error))
    return tuple(found)


def _real(line: _Line, step: float) -> Array:
    return line(step).astype(float)


def _complex_step(line: _Line) -> Array | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            outputs = line(complex(0.0, _TINY))
        except Exception:
            return None
    return outputs.imag / _TINY if outputs.dtype.kind == "c" else None
