"""Whether arrays are the right ones: the only comparison that a verdict rests on.

Identical shape, everything finite, and on every instance and in every entry
|answer - truth| <= 1e-6 |truth| + 1e-10 max|truth| + 3 error, so that no huge entry hides a wrong
small one. An answer such as p - 1 rounds by the size that it has elsewhere: a difference that is
negligible next to the largest truth of all instances counts as error. Nothing is broadcast, and
nothing is averaged.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from quizzer.checker.derivative import Array
from quizzer.checker.instance import Contraction, Truth
from quizzer.checker.jacobians import symmetrised

TOLERANCE = 1e-6
_ROUNDING = 1e-10
"""What rounding may leave in a small entry of an answer whose other entries are large."""
_GRAIN = 1e-13
"""What rounding may leave on one instance, relative to the size of the truth on the others."""
_SINGLE = 1e-7
"""What rounding to single precision leaves of each part of a sum, which may cancel."""
_NOTHING = 1e-9

Arrays = Sequence[Array]


def is_right(
    answer: Array, truth: Array, error: Array | float = 0.0, symmetric: bool = False
) -> bool:
    """Whether an answer meets the truth, whose entries are known up to `error`."""
    if answer.shape != truth.shape or not np.isfinite(answer).all():
        return False
    return not beyond(answer, truth, error, symmetric).any()


def beyond(
    answer: Array, truth: Array, error: Array | float = 0.0, symmetric: bool = False
) -> Array:
    """Which entries of an answer of the right shape, everything finite, miss the truth."""
    difference = symmetrised(answer - truth) if symmetric else answer - truth
    return np.asarray(np.abs(difference) > bound(truth, error))


def bound(truth: Array, error: Array | float) -> Array:
    """How far each entry may be from the truth."""
    magnitudes = np.abs(truth)
    return np.asarray(
        TOLERANCE * magnitudes + _ROUNDING * np.max(magnitudes, initial=0.0) + 3 * error
    )


def is_near(answer: Array, other: Array, error: float = 0.0) -> bool:
    """Whether a wrong answer is as good as another array: no verdict rests on this."""
    if answer.shape != other.shape or not np.isfinite(answer).all():
        return False
    reach = TOLERANCE * np.max(np.abs(other), initial=0.0) + 3 * error + _NOTHING
    return bool((np.abs(answer - other) <= reach).all())


def have_slopes(
    answers: Arrays,
    contractions: Sequence[Contraction],
    factors: Sequence[float] | None = None,
    size: float = 0.0,
) -> list[bool]:
    """Whether answers, times a factor each, have the slopes of the truths in random directions.

    `size` is that of the truth elsewhere. A wrong array of finite numbers has the slope with
    probability zero.
    """
    directions = [each.direction for each in contractions]
    fitting = [
        place
        for place, (a, d) in enumerate(zip(answers, directions, strict=True))
        if a.shape == d.shape or without_ones(a.shape) == without_ones(d.shape)
    ]
    along = _strung([directions[place] for place in fitting])
    parts = _strung([answers[place] for place in fitting]) * along
    sums, sizes, lengths = _sums(
        (parts, np.abs(parts), np.abs(along)), [directions[place].size for place in fitting]
    )
    scale = np.asarray(factors)[fitting] if factors is not None else 1.0
    value, error = (
        np.array([getattr(contractions[place], name) for place in fitting])
        for name in ("value", "error")
    )
    reach = TOLERANCE * np.abs(value) + _SINGLE * np.abs(scale) * sizes
    near = np.abs(scale * sums - value) <= reach + 3 * (error + grain(size) * lengths)
    found = [False] * len(directions)
    for place, is_near in zip(fitting, near.tolist(), strict=True):
        found[place] = is_near
    return found


def _strung(arrays: Arrays) -> Array:
    """The entries of all, one behind the other."""
    return np.concatenate([array.reshape(-1) for array in arrays]) if arrays else np.zeros(0)


def _sums(rows: tuple[Array, ...], lengths: Sequence[int]) -> Array:
    """The sums of each row over pieces of these lengths."""
    starts = [0, *accumulate(lengths)][:-1]
    sums = np.zeros((len(rows), len(starts)))
    filled = [place for place, length in enumerate(lengths) if length]
    if filled:
        begins = [starts[place] for place in filled]
        sums[:, filled] = np.add.reduceat(np.stack(rows), begins, axis=1)
    return sums


def size_of(values: Arrays) -> float:
    """The largest entry of all."""
    return max((float(np.max(np.abs(value), initial=0.0)) for value in values), default=0.0)


def grain(size: float) -> float:
    """The error that rounding may leave where values are of this size elsewhere."""
    return _GRAIN * size


def all_right(answers: Arrays, truths: Sequence[Truth], symmetric: bool) -> bool:
    """Whether the answers are what was asked, on every instance."""
    rounding = grain(size_of([truth.value for truth in truths]))
    return all(
        is_right(answer, truth.value, truth.error + rounding, symmetric)
        for answer, truth in zip(answers, truths, strict=True)
    )


def all_right_by_the_other_convention(
    answers: Arrays, truths: Sequence[Truth], symmetric: bool
) -> bool:
    """Whether they are the local derivative where the message was asked, or the other way round."""
    rounding = grain(size_of([t.value if t.other is None else t.other for t in truths]))
    return all(
        truth.other is not None
        and is_right(answer, truth.other, truth.error * _growth(truth) + rounding, symmetric)
        for answer, truth in zip(answers, truths, strict=True)
    )


def reoriented(answers: Arrays, truths: Sequence[Truth]) -> list[Array] | None:
    """The answers in the asked shapes, where they differ in axes of length 1 only."""
    if all(a.shape == t.value.shape for a, t in zip(answers, truths, strict=True)):
        return None
    turned = []
    for answer, truth in zip(answers, truths, strict=True):
        if without_ones(answer.shape) != without_ones(truth.value.shape):
            return None
        turned.append(answer.reshape(truth.value.shape))
    return turned


def without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The lengths of the axes that are longer than 1, or empty."""
    return tuple(n for n in shape if n != 1)


def _growth(truth: Truth) -> float:
    """How much larger the other convention's values, and their errors, are."""
    assert truth.other is not None
    asked, other = np.max(np.abs(truth.value)), np.max(np.abs(truth.other))
    return float(other / asked) if asked else 1.0
