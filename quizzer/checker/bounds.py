"""What is right at a tie: bounds on slopes, and the comparison with them.

Worked out on the problem side, from a checker's code; compared on the other side, without it.
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance


class Bounds(Struct, frozen=True):
    """For each direction (rows) the interval of right slopes, for each row of the answer."""

    directions: Array
    low: Array
    high: Array
    slack: float
    smooth: NDArray[np.bool_]
    """Of each entry whether nothing that ties depends on it."""


class TieInstance(Struct, frozen=True):
    """An instance at a tie, and the bounds on those asked names whose derivative jumps there."""

    instance: Instance
    bounds: dict[str, Bounds]


def is_generalised_gradient(answer: Array, bounds: Bounds) -> bool:
    """Whether an answer of the right shape has an allowed slope in every direction tried."""
    if not np.isfinite(answer).all():
        return False
    slopes = bounds.directions @ _rows(answer, bounds).T
    low, high = bounds.low - bounds.slack, bounds.high + bounds.slack
    return bool(((low <= slopes) & (slopes <= high)).all())


def is_smooth(bounds: Bounds) -> NDArray[np.bool_]:
    """Of every row of the answer (columns) and every entry (rows): whether nothing ties there."""
    size = bounds.directions.shape[1]
    closed = (bounds.high - bounds.low)[:size] <= bounds.slack
    return np.asarray(closed & bounds.smooth[:, np.newaxis])


def misses(answer: Array, bounds: Bounds) -> NDArray[np.bool_]:
    """Of every entry (rows) of every row of the answer (columns): whether it lies outside."""
    size = bounds.directions.shape[1]
    entries = _rows(answer, bounds).T
    low, high = bounds.low[:size] - bounds.slack, bounds.high[:size] + bounds.slack
    return np.asarray((entries < low) | (entries > high))


def _rows(answer: Array, bounds: Bounds) -> Array:
    return answer.reshape(-1, bounds.directions.shape[1])
